#include "cli/commands.h"
#include "cli/parser.h"
#include "cli/writer.h"
#include "constraint/smtlib/printing.h"
#include "constraint/smtlib/reader.h"
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

constexpr const char* solve_examples = R"(Examples:
  faultline solve problem.smt2
  faultline solve problem.smt2 --solver interval --time 1m
  generator | faultline solve -

The first line of standard output is sat, unsat or unknown; a model follows sat, and comments who answered and how long
it took. Every model was evaluated before it is printed. A file with several check-sat has an answer to each, in their
order, and what get-value and get-model ask for behind its own; --time is for each.

The exit status is 0 for sat and unsat, 4 if an answer is unknown, and 1 if one contradicts the file's :status.)";

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

// Returns the text as SMT-LIB comments, so that other tools can read the whole output.
std::string comments(const solve::Result& result) {
  std::string reason = result.reason;
  std::ranges::replace_if(
      reason, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return fmt::format("; {}, {:.3f} s\n{}", result.solver, result.seconds,
                     result.answer == Answer::unknown && !reason.empty() ? fmt::format("; {}\n", reason) : "");
}

// True if the answer differs from the status in the file. Either of them may be wrong.
bool contradicts(const std::string& file, Status status, Answer answer) {
  const bool differs =
      (status == Status::sat && answer == Answer::unsat) || (status == Status::unsat && answer == Answer::sat);
  if (differs)
    fmt::print(stderr, "faultline: warning: {} has :status {}, and the answer is {}\n",
               file == "-" ? "standard input" : file, status == Status::sat ? "sat" : "unsat", solve::name(answer));
  return differs;
}

struct Way {
  const solve::NamedSolver& solver;
  double seconds;
  uint64_t seed;
};

// Executes the commands of the script in order.
class Conversation {
public:
  Conversation(constraint::Script& script, std::string file, const Way& way)
      : script_(script), playback_(script), file_(std::move(file)), way_(way) {}

  int run() {
    while (const constraint::Command* command = playback_.next())
      answer(*command);
    print(unasked_model_);
    if (script_.checks == 1)
      print(comments(result_));
    return contradiction_ ? frontend::status_found
           : unknown_     ? frontend::status_inconclusive
                          : frontend::status_nothing;
  }

private:
  void answer(const constraint::Command& command) {
    using Kind = constraint::Command::Kind;
    if (command.kind == Kind::check)
      return check(command);
    if (command.kind == Kind::reply)
      return print(command.text + "\n");
    if (!playback_.is_answered())
      return print("(error \"there is no model: nothing was checked since the last change\")\n");
    if (result_.answer != Answer::sat)
      return print(fmt::format("(error \"there is no model: the last answer is {}\")\n", solve::name(result_.answer)));
    print(command.kind == Kind::get_model ? model() : constraint::values_text(script_, command, result_.model));
  }

  void check(const constraint::Command& command) {
    result_ = solve::solve(way_.solver, {.system = script_.system, .seconds = way_.seconds, .seed = way_.seed});
    print(fmt::format("{}\n", solve::name(result_.answer)));
    if (script_.checks == 1 && !script_.wants_model && result_.answer == Answer::sat)
      unasked_model_ = model();
    unknown_ |= result_.answer == Answer::unknown;
    contradiction_ |= contradicts(file_, command.status, result_.answer);
  }

  std::string model() const { return constraint::model_text(script_, playback_, result_.model); }

  constraint::Script& script_;
  constraint::Playback playback_;
  std::string file_;
  Way way_;
  solve::Result result_;
  std::string unasked_model_; // of the declarations at the check; printed at the end
  bool unknown_ = false, contradiction_ = false;
};

} // namespace

int solve(const CommandLine& line) {
  const finding::Said said =
      parse({.name = "faultline solve",
             .description = "Finds floats that satisfy a formula, or proves that there are none.",
             .examples = solver_list() + solve_examples,
             .operand = "FILE.smt2",
             .operand_help = "a problem in SMT-LIB 2.6, QF_FP or QF_BVFP; - for standard input",
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

  constraint::Script script = constraint::load_smtlib(file);
  return Conversation(script, file, {named ? *named : *default_solver(), seconds, seed}).run();
}

} // namespace faultline::cli
