#include "cli/command.h"
#include "cli/values.h"
#include "constraint/smtlib_file.h"
#include "constraint/smtlib_writer.h"
#include "frontend/error.h"
#include "report/output_file.h"
#include "solve/solver.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace faultline::cli {

using constraint::Status;
using frontend::status_usage;
using frontend::UserError;
using solve::Answer;

namespace {

constexpr int status_inconclusive = 4;

constexpr const char* examples = R"(Examples:
  faultline solve problem.smt2
  faultline solve problem.smt2 --solver interval --time 1m
  generator | faultline solve -

The first line of standard output is sat, unsat or unknown; a model follows sat, and comments who answered and how long
it took. Every model was evaluated before it is printed. The exit status is 0 for sat and unsat, and 4 for unknown.)";

struct SolveArguments {
  std::string file, solver, time, seed;
};

std::string solver_names() {
  std::string names;
  for (const solve::NamedSolver& solver : solve::solvers())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", solver.name);
  return names;
}

std::string solver_list() {
  std::string text = "Solvers:\n";
  for (const solve::NamedSolver& solver : solve::solvers())
    text += fmt::format("  {:10} {}\n", solver.name, solver.description);
  return text + "\n";
}

void add_options(CLI::App& app, SolveArguments& arguments) {
  app.add_option("FILE.smt2", arguments.file, "a problem in SMT-LIB 2.6, logic QF_FP; - for standard input")
      ->option_text(" ");
  const auto add = [&](const char* name, std::string& value, const char* form, const char* help) {
    app.add_option(name, value, help)->option_text(form);
  };
  add("--solver", arguments.solver, "NAME", "who solves it (default: the first of the list below)");
  add("--time", arguments.time, "TIME", "time at most: 10s (default), 500ms, 2m");
  add("--seed", arguments.seed, "N", "of the random numbers (default: 1)");
}

const solve::NamedSolver* named_solver(const std::string& name) {
  const solve::NamedSolver* found = solve::find_solver(name);
  if (!found)
    throw UserError(status_usage, fmt::format("--solver {}: there is no such solver", name),
                    fmt::format("one of {}", solver_names()));
  return found;
}

const solve::NamedSolver* default_solver() {
  if (solve::solvers().empty())
    throw UserError(status_usage, "this version has no solver", "faultline --help");
  return &solve::solvers().front();
}

// Comments of SMT-LIB, so that the whole output can be read by other tools.
std::string comments(const solve::Result& result) {
  std::string reason = result.reason;
  std::ranges::replace_if(
      reason, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return fmt::format("; {}, {:.3f} s\n{}", result.solver, result.seconds,
                     result.answer == Answer::unknown && !reason.empty() ? fmt::format("; {}\n", reason) : "");
}

// One of the two is wrong, and we cannot tell which.
void warn_of_contradiction(const std::string& file, Status status, Answer answer) {
  const bool contradicts =
      (status == Status::sat && answer == Answer::unsat) || (status == Status::unsat && answer == Answer::sat);
  if (contradicts)
    fmt::print(stderr, "faultline: warning: {} has :status {}, and the answer is {}\n",
               file == "-" ? "standard input" : file, status == Status::sat ? "sat" : "unsat", solve::name(answer));
}

} // namespace

int solve(const Line& line) {
  CLI::App app("Finds floats that satisfy a formula, or proves that there are none.", "faultline solve");
  app.footer(solver_list() + examples);
  SolveArguments arguments;
  add_options(app, arguments);
  parse(app, line);
  refuse_flags(line);
  if (arguments.file.empty())
    throw UserError(status_usage, "no problem given", "faultline solve FILE.smt2, or - for standard input");
  const solve::NamedSolver* named = arguments.solver.empty() ? nullptr : named_solver(arguments.solver);
  const double seconds = arguments.time.empty() ? 10 : duration("--time", arguments.time);
  const uint64_t seed = arguments.seed.empty() ? 1 : whole("--seed", arguments.seed);

  const constraint::Script script = constraint::load_smtlib(arguments.file);
  const solve::Result result =
      solve::solve(named ? *named : *default_solver(), {.system = script.system, .seconds = seconds, .seed = seed});
  std::string text = fmt::format("{}\n", solve::name(result.answer));
  if (result.answer == Answer::sat)
    text += constraint::model_text(script.system, result.model);
  report::print(text + comments(result));
  warn_of_contradiction(arguments.file, script.status, result.answer);
  return result.answer == Answer::unknown ? status_inconclusive : 0;
}

} // namespace faultline::cli
