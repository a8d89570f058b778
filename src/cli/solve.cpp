#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/parser.h"
#include "constraint/smtlib/file.h"
#include "constraint/smtlib/writer.h"
#include "finding/settings/values.h"
#include "frontend/error.h"
#include "solve/solver.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::cli {

using constraint::Status;
using frontend::status_usage;
using frontend::UserError;
using solve::Answer;

namespace {

constexpr const char* examples = R"(Examples:
  faultline solve problem.smt2
  faultline solve problem.smt2 --solver interval --time 1m
  generator | faultline solve -

The first line of standard output is sat, unsat or unknown; a model follows sat, and comments who answered and how long
it took. Every model was evaluated before it is printed. The exit status is 0 for sat and unsat, and 4 for unknown.)";

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

int solve(const CommandLine& line) {
  const finding::Said said =
      parse({.name = "faultline solve",
             .description = "Finds floats that satisfy a formula, or proves that there are none.",
             .examples = solver_list() + examples,
             .operand = "FILE.smt2",
             .operand_help = "a problem in SMT-LIB 2.6, logic QF_FP; - for standard input",
             .options = options_of(finding::command::solve)},
            line);
  refuse_flags(line);
  const std::string& file = said.value(operands);
  if (file.empty())
    throw UserError(status_usage, "no problem given", "faultline solve FILE.smt2, or - for standard input");
  const solve::NamedSolver* named = said.has("solver") ? named_solver(said.value("solver")) : nullptr;
  const double seconds = finding::duration(
      "--time", said.has("time") ? said.value("time") : std::string(finding::find_setting("time")->usual));
  const uint64_t seed = read_settings(said).seed;

  const constraint::Script script = constraint::load_smtlib(file);
  const solve::Result result =
      solve::solve(named ? *named : *default_solver(), {.system = script.system, .seconds = seconds, .seed = seed});
  std::string text = fmt::format("{}\n", solve::name(result.answer));
  if (result.answer == Answer::sat)
    text += constraint::model_text(script.system, result.model);
  print(text + comments(result));
  warn_of_contradiction(file, script.status, result.answer);
  return result.answer == Answer::unknown ? frontend::status_inconclusive : frontend::status_nothing;
}

} // namespace faultline::cli
