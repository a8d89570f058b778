#include "base/error.h"
#include "cli/command_line.h"
#include "cli/parser.h"
#include "cli/writer.h"
#include "constraint/smtlib/printing.h"
#include "constraint/smtlib/reader.h"
#include "model/settings/settings.h"
#include "solve/extent.h"
#include "solve/solver.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace faultline::cli {

using base::status_usage;
using base::UserError;
using constraint::Status;
using solve::Answer;

namespace {

constexpr const char* solve_examples = R"(Examples:
  faultline solve problem.smt2
  faultline solve problem.smt2 --solver interval --time 1m
  generator | faultline solve -

The first line of standard output is sat, unsat or unknown; a model follows sat, and comments who answered and how long
it took. Every model was evaluated before it is printed. A file with several check-sat has an answer to each, in their
order, and what get-value and get-model ask for behind its own; --time is for each. With --extent, get-value has the
least and the greatest value of a float over all models in which it is a number, as comments; exact: both are proved.

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
std::string on_one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string effort_text(double seconds, uint64_t projections) {
  return fmt::format("{:.6f} s{}", seconds, projections > 0 ? fmt::format(", {} projections", projections) : "");
}

std::string comments(const solve::Result& result) {
  const bool has_reason = result.answer == Answer::unknown && !result.reason.empty();
  return fmt::format("; {}, {}\n{}", result.solver, effort_text(result.seconds, result.projections),
                     has_reason ? fmt::format("; {}\n", on_one_line(result.reason)) : "");
}

// 1.5 0x1.8p+0
std::string number_text(const constraint::BinaryFormat& format, numeric::Int128 order) {
  const constraint::Sort sort = constraint::float_sort(format);
  const std::string comment = constraint::value_comment(format.at(order), sort);
  return comment.empty() ? constraint::value_text(format.at(order), sort) : comment.substr(std::strlen(" ; "));
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
  bool extents, ulp_max;
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
    return contradiction_ ? base::status_found : unknown_ ? base::status_inconclusive : base::status_nothing;
  }

private:
  void answer(const constraint::Command& command) {
    using Kind = constraint::Command::Kind;
    if (command.kind == Kind::check)
      return check(command);
    if (command.kind == Kind::reply)
      return print(command.text + "\n");
    if (way_.extents && command.kind == Kind::get_value)
      return print(extents(command));
    if (!playback_.is_answered())
      return print("(error \"there is no model: nothing was checked since the last change\")\n");
    if (result_.answer != Answer::sat)
      return print(fmt::format("(error \"there is no model: the last answer is {}\")\n", solve::name(result_.answer)));
    print(command.kind == Kind::get_model ? model() : constraint::values_text(script_, command, result_.model));
  }

  void check(const constraint::Command& command) {
    solve::Question question{.system = script_.system, .seconds = way_.seconds, .seed = way_.seed};
    question.ulp_max = way_.ulp_max;
    result_ = solve::solve(way_.solver, question);
    print(fmt::format("{}\n", solve::name(result_.answer)));
    if (script_.checks == 1 && !script_.wants_model && result_.answer == Answer::sat)
      unasked_model_ = model();
    unknown_ |= result_.answer == Answer::unknown;
    contradiction_ |= contradicts(file_, command.status, result_.answer);
  }

  // The extents under the assertions of the last check.
  std::string extents(const constraint::Command& command) const {
    std::string text;
    for (const constraint::RequestedTerm& asked : command.asked)
      text += fmt::format("; extent of {}: {}\n", on_one_line(asked.text), extent(asked.value));
    return text;
  }

  std::string extent(const constraint::Value& value) const {
    const auto* term = std::get_if<constraint::Term>(&value);
    if (!term || !script_.system.sort(*term).is_float())
      return "not a float";
    const base::Stopwatch watch;
    const solve::Extent extent =
        solve::extent(script_.system, *term, way_.solver, {.seconds = way_.seconds, .ulp_max = way_.ulp_max});
    const constraint::BinaryFormat format = script_.system.sort(*term).format;
    const auto [low, high] = extent.possible;
    return fmt::format(
        "{}, {}exact; {}",
        extent.infeasible() ? "empty" : fmt::format("[{}, {}]", number_text(format, low), number_text(format, high)),
        extent.exact() ? "" : "not ", effort_text(watch.seconds(), extent.projections));
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
  const model::RawSettings raw =
      parse({.name = "solve",
             .description = "Finds floats that satisfy a formula, or proves that there are none.",
             .examples = solver_list() + solve_examples,
             .operand = "FILE.smt2",
             .operand_help = "a problem in SMT-LIB 2.6, QF_FP or QF_BVFP; - for standard input"},
            line);
  refuse_flags(line);
  const std::string& file = raw.value(operands);
  if (file.empty())
    throw UserError(status_usage, "no problem given", "faultline solve FILE.smt2, or - for standard input");
  const solve::NamedSolver* named = raw.has("solver") ? named_solver(raw.value("solver")) : nullptr;
  const double seconds =
      model::duration("--time", raw.has("time") ? raw.value("time") : std::string(model::find_setting("time")->usual));
  const uint64_t seed = read_settings(raw).seed;

  constraint::Script script = constraint::load_smtlib(file);
  return Conversation(
             script, file,
             {named ? *named : *default_solver(), seconds, seed, raw.is_on("extent"), !raw.is_on("no-ulp-max")})
      .run();
}

} // namespace faultline::cli
