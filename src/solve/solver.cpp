#include "solve/solver.h"

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

bool knows_no_words(const System& system) { return !constraint::reaches_words(system); }

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
    return {.solver = solver.name, .reason = std::string(solver.name) + " does not support bit-vectors"};
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

// The portfolio: first the fast solvers in turn, each for a short time; then, in the remaining time, the complete ones
// in parallel, each in a separate process.
//
// Without child processes (within the sandbox) there is only the first round, repeated with larger shares. It is the
// same on every machine if the question's effort ends it and not the clock.

namespace {

struct Turn {
  const char* name;
  double share; // of the time, and of the effort
};

// Fastest first. A second turn has more time than the first.
constexpr Turn quick[] = {{"interval", 0.01}, {"real", 0.02}, {"newton", 0.02}, {"interval", 0.04}, {"newton", 0.06}};
constexpr Turn long_ones[] = {{"real", 0.1}, {"bits", 0.3}, {"interval", 0.25}, {"newton", 0.2}};

constexpr double grace = 0.2; // seconds for a child to finish by itself

class Portfolio {
public:
  explicit Portfolio(const Question& question) : question_(question), deadline_(question.seconds) {}

  Result run() {
    for (const Turn& turn : quick)
      if (take(turn))
        return last_;
    if (question_.in_process) {
      for (const Turn& turn : long_ones)
        if (take(turn))
          return last_;
      return unknown();
    }
    return side_by_side();
  }

private:
  // True if the solver answered.
  bool take(const Turn& turn) {
    Question part = question_;
    part.seconds = std::min(question_.seconds * turn.share, deadline_.left());
    part.effort = question_.effort == ~uint64_t(0) ? question_.effort : uint64_t(double(question_.effort) * turn.share);
    if (part.seconds <= 0)
      return false;
    last_ = answer(turn.name, part);
    return last_.answer != Answer::unknown;
  }

  // Returns the solver's checked answer: a wrong model must not end the race.
  static Result answer(const char* name, const Question& question) { return solve(*find_solver(name), question); }

  // Two lines of work, for two processors: proofs and searches.
  Result side_by_side() {
    Question rest = question_;
    rest.seconds = deadline_.left();
    if (rest.seconds <= 0)
      return unknown();
    const auto lane = [rest](std::vector<Turn> turns) {
      return [rest, turns = std::move(turns)] {
        const Deadline deadline(rest.seconds);
        Result result;
        for (const Turn& turn : turns) {
          Question part = rest;
          part.seconds = std::min(rest.seconds * turn.share, deadline.left());
          if (part.seconds <= 0)
            break;
          result = answer(turn.name, part);
          if (result.answer != Answer::unknown)
            break;
        }
        return result;
      };
    };
    const Result result =
        race({lane({{"interval", 0.5}, {"newton", 0.2}, {"z3", 1}}), lane({{"bits", 0.6}, {"cvc5", 1}})},
             {.seconds = rest.seconds + grace});
    return result.answer == Answer::unknown ? unknown() : result;
  }

  Result unknown() const { return {.solver = "portfolio", .reason = "no solver answered in time"}; }

  const Question& question_;
  Deadline deadline_;
  Result last_;
};

} // namespace

Result solve_portfolio(const Question& question) { return Portfolio(question).run(); }

} // namespace faultline::solve
