#include "solve/solver.h"

#include "base/clock.h"
#include "constraint/evaluate.h"
#include "solve/child.h"

#include <algorithm>
#include <new>

namespace faultline::solve {

std::string_view name(Answer answer) {
  switch (answer) {
  case Answer::sat:
    return "sat";
  case Answer::unsat:
    return "unsat";
  case Answer::unknown:
    break;
  }
  return "unknown";
}

namespace {

bool knows_no_words(const constraint::System& system) { return !constraint::reaches_words(system); }

} // namespace

const std::vector<NamedSolver>& solvers() {
  static const std::vector<NamedSolver> all = {
      {"portfolio", solve_portfolio, "the cheap ones one after the other, then the complete ones side by side"},
      {"interval", solve_interval, "interval propagation over floats, then splitting (FPSE)"},
      {"newton", solve_newton, "linearised steps and local search over the floats; finds models, proves nothing",
       knows_no_words},
      {"real", solve_real, "over the reals: all variables but one fixed, root isolation for the one (Ariadne)",
       knows_no_words},
      {"bits", solve_bits, "as a circuit, decided by CaDiCaL"},
      {"z3", solve_z3, "Z3, in a process of its own"},
      {"cvc5", solve_cvc5, "cvc5, in a process of its own"},
  };
  return all;
}

const NamedSolver* find_solver(const std::string& name) {
  const auto found =
      std::find_if(solvers().begin(), solvers().end(), [&](const NamedSolver& solver) { return solver.name == name; });
  return found == solvers().end() ? nullptr : &*found;
}

std::string_view known_name(const std::string& name) {
  const NamedSolver* solver = find_solver(name);
  return solver ? solver->name : "solver";
}

Result solve(const NamedSolver& solver, const Question& question) {
  const base::Stopwatch watch;
  Result result;
  if (!solver.can_solve(question.system))
    return {.solver = solver.name, .reason = std::string(solver.name) + " does not know bit-vectors"};
  try {
    result = solver.run(question);
  } catch (const std::bad_alloc&) {
    result = {.reason = "out of memory"};
  }
  if (result.solver.empty())
    result.solver = solver.name;
  if (result.answer == Answer::sat && !constraint::satisfies(question.system, result.model)) {
    result = {.answer = Answer::unknown,
              .solver = result.solver,
              .reason = result.solver + " gave a model that does not satisfy the formula"};
  }
  result.seconds = watch.seconds();
  return result;
}

Result solve_by_turns(const std::vector<std::string>& names, const Question& question) {
  Result result{.reason = "there is no such solver"};
  for (const std::string& name : names) {
    if (const NamedSolver* solver = find_solver(name))
      result = solve(*solver, question);
    if (result.answer != Answer::unknown)
      break;
  }
  return result;
}

Result solve_apart(const NamedSolver& solver, const Question& question) {
  constexpr double grace = 1; // seconds to come to an end by itself
  const base::Stopwatch watch;
  Result result = run_in_child([&] { return solve(solver, question); }, {.seconds = question.seconds + grace});
  if (result.solver.empty())
    result.solver = solver.name;
  result.seconds = watch.seconds();
  return result;
}

} // namespace faultline::solve
