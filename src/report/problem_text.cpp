#include "report/problem_text.h"

#include "numeric/decimal.h"
#include "numeric/stable_sort.h"
#include "report/explain_text.h"
#include "report/screen.h"
#include "report/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace faultline::report {

using namespace model;
using numeric::as_typed;

namespace {

constexpr size_t screen = 100;   // columns that most terminals have
constexpr size_t most_tried = 3; // functions whose inputs are shown
constexpr size_t label_width = 6;

std::string tier_text(Tier tier, const Style& style) {
  const std::string word = fmt::format("{}:", model::text(tier));
  return tier == Tier::error ? style.bad(word) : tier == Tier::warning ? style.warn(word) : style.bold(word);
}

// Wraps words at the width of a screen and indents further lines below the first.
std::string field(const char* label, const std::string& value, const Style& style) {
  if (value.empty())
    return {};
  const size_t indent = 2 + label_width + 1;
  std::string text;
  for (const std::string& line : wrapped(printable(value), screen - indent))
    text += text.empty() ? fmt::format("  {} {}\n", style.faint(fmt::format("{:{}}", label, label_width)), line)
                         : fmt::format("{}{}\n", std::string(indent, ' '), line);
  return text;
}

std::string digits_left(double relative) {
  if (!(relative < 0.1))
    return "no correct digit left";
  const int digits = int(std::floor(-std::log10(relative)));
  return counted(uint64_t(digits), "correct digit") + " left";
}

// The name of an operation whose expression is unknown.
std::string in_words(const std::string& operation) {
  for (const auto& [name, words] : {std::pair{"fadd", "an addition"}, std::pair{"fsub", "a subtraction"},
                                    std::pair{"fmul", "a multiplication"}, std::pair{"fdiv", "a division"}})
    if (operation == name)
      return words;
  return operation.empty() ? "an operation" : operation;
}

std::string subject(const Problem& problem) {
  if (!problem.source.empty())
    return problem.source;
  const std::optional<Cause>& cause = problem.representative().cause;
  return in_words(cause ? cause->operation : "");
}

std::string result_words(const Finding& finding) {
  if (!finding.output || finding.output->computed.decimal.empty())
    return {};
  return fmt::format(": {} is {}", finding.output->name == "return" ? "the result" : finding.output->name,
                     brief_number(finding.output->computed.decimal, 3));
}

// The computed and the correct result.
std::string values_text(const Finding& finding) {
  if (!finding.output)
    return finding.detail;
  const int digits = telling_digits(finding);
  std::string text = brief_number(finding.output->computed.decimal, digits);
  if (!finding.output->reference.decimal.empty())
    text += fmt::format(", {} {}", finding.is_truncated() ? "in the limit" : "exact",
                        brief_number(finding.output->reference.decimal, digits));
  if (finding.output->name != "return")
    text = fmt::format("{} = {}", finding.output->name, text);
  if (const std::string whole = array_error_text(finding); !whole.empty())
    text += "; " + whole;
  return text;
}

// One line per function, for the first few.
std::string tried_fields(const Problem& problem, const Style& style) {
  std::vector<const Evidence*> shown;
  std::set<std::string> functions;
  for (const Evidence& evidence : problem.findings)
    if (shown.size() < most_tried && tier_of(*evidence.finding) == problem.tier &&
        functions.insert(evidence.target->function).second)
      shown.push_back(&evidence);
  size_t inputs = 0, names = 0;
  for (const Evidence* evidence : shown) {
    inputs = std::max(inputs, std::min<size_t>(brief_input(evidence->finding->input).size(), 40));
    names = std::max(names, evidence->target->function.size());
  }
  std::string text;
  for (const Evidence* evidence : shown) {
    const std::string line = fmt::format("{:{}}  {:{}}  {}", brief_input(evidence->finding->input), inputs,
                                         evidence->target->function, names, values_text(*evidence->finding));
    text += fmt::format("  {} {}\n", style.faint(fmt::format("{:{}}", text.empty() ? "try" : "", label_width)),
                        printable(line));
  }
  return text;
}

std::string remedy_text(const Finding& finding) {
  if (!finding.diagnosis || !finding.diagnosis->remedy)
    return {};
  const Remedy& remedy = *finding.diagnosis->remedy;
  const std::string before = finding.error && std::isfinite(finding.error->relative)
                                 ? fmt::format("{} -> ", measure_text(finding.error->relative))
                                 : "";
  return fmt::format("{}: error {}{} ({})", as_typed(remedy.advice), before, measure_text(remedy.relative),
                     tried_text(remedy));
}

std::string worst_text(const Problem& problem) {
  const Finding* worst = problem.worst.finding;
  const Finding& representative = problem.representative();
  if (!worst || worst == &representative || !representative.error ||
      !(worst->error->relative > representative.error->relative))
    return {};
  return fmt::format("relative error {} at {}{}", measure_text(worst->error->relative), brief_input(worst->input),
                     problem.functions.size() > 1 ? " in " + problem.worst.target->function : "");
}

std::string same_text(const Problem& problem) {
  std::vector<std::string> parts;
  size_t inputs = problem.findings.size() - 1;
  for (const Evidence& evidence : problem.findings)
    inputs += evidence.finding->merged;
  if (inputs > 0)
    parts.push_back(counted(inputs, "more input"));
  std::set<std::string> kinds;
  for (const Evidence& evidence : problem.findings)
    if (evidence.finding->kind != problem.representative().kind && text(evidence.finding->kind) != problem.fault)
      kinds.insert(std::string(text(evidence.finding->kind)));
  if (!kinds.empty())
    parts.push_back(fmt::format("with {}", fmt::join(kinds, ", ")));
  if (problem.functions.size() > most_tried)
    parts.push_back(fmt::format("in {} functions: {}, ...", problem.functions.size(),
                                fmt::join(problem.functions.begin(), problem.functions.begin() + most_tried, ", ")));
  return fmt::format("{}", fmt::join(parts, "; "));
}

// The reason why a note is not a warning.
std::string reason_text(const Finding& finding) {
  if (!finding.built.empty())
    return finding.built;
  if (finding.aftermath) {
    if (!finding.aftermath->silent())
      return fmt::format("reported {}", reported_text(*finding.aftermath));
    if (is_folded(finding))
      return "the result is right";
    if (!finding.aftermath->reaches_output && finding.aftermath->result != Result::wrong)
      return "no known effect on an output";
  }
  return std::string(text(finding.verdict));
}

// Capitalizes a sentence unless it begins with code.
std::string capital(std::string text, const std::string& code) {
  const bool is_code = !code.empty() && text.starts_with(code);
  if (!is_code && !text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

void add_line(std::string& message, const char* label, const std::string& text) {
  if (!text.empty())
    message += fmt::format("\n{}{}{}", label, text, text.ends_with('.') ? "" : ".");
}

std::string outcome_text(const Finding& finding) {
  if (!finding.output || finding.output->computed.decimal.empty())
    return finding.detail;
  const int digits = telling_digits(finding);
  const std::string computed = brief_number(finding.output->computed.decimal, digits);
  std::string text = finding.output->name == "return" ? fmt::format("returns {}", computed)
                                                      : fmt::format("{} is {}", finding.output->name, computed);
  if (!finding.output->reference.decimal.empty())
    text += fmt::format(", {} {}", finding.is_truncated() ? "in the limit it is" : "exact is",
                        brief_number(finding.output->reference.decimal, digits));
  if (const std::string whole = array_error_text(finding); !whole.empty())
    text += "; " + whole;
  return text;
}

// "eigen3/Eigen/src/Core/Redux.h:300, called from here"
std::string within_text(const Finding& finding) {
  return finding.cause && !finding.cause->within.empty() ? finding.cause->within + ", called from here" : "";
}

std::string try_text(const Problem& problem) {
  const Finding& finding = problem.representative();
  const std::string outcome = outcome_text(finding);
  return fmt::format("{} with {}{}{}", problem.target().function, brief_input(finding.input),
                     outcome.empty() ? "" : ": ", outcome);
}

std::string fix_text(const Finding& finding) {
  if (!finding.diagnosis || !finding.diagnosis->remedy)
    return {};
  const Remedy& remedy = *finding.diagnosis->remedy;
  return fmt::format("{} ({}: the relative error is {} then)", as_typed(remedy.advice), tried_text(remedy),
                     measure_text(remedy.relative));
}

// Adds the expression unless the title begins with it.
std::string titled(const Problem& problem) {
  std::string title = problem_title(problem);
  if (!problem.source.empty() && title.find(problem.source) == std::string::npos)
    title += fmt::format(", in {}", problem.source);
  return title;
}

} // namespace

std::string problem_title(const Problem& problem) {
  const Finding& finding = problem.representative();
  const std::string place = subject(problem);
  const auto title = [&](Kind kind) { return fmt::format(fmt::runtime(info(kind).title), place); };
  if (is_exception(finding.kind))
    return title(finding.kind) + result_words(finding);
  if (is_error(finding.kind)) {
    const auto fault = model::fault_of(problem.fault);
    const auto exception = model::kind_of(problem.fault);
    const std::string what = finding.kind == Kind::bound_violated    ? "the claimed bound of the error is violated"
                             : exception && is_exception(*exception) ? title(*exception)
                             : fault                                 ? std::string(headline(*fault))
                                                                     : problem.fault;
    return finding.error ? fmt::format("{}, {}", what, digits_left(finding.error->relative)) : what;
  }
  return finding.detail.empty() ? std::string(text(finding.kind)) : finding.detail;
}

std::string problem_block(const Problem& problem, const SourceLine& source, const Style& style) {
  const Finding& finding = problem.representative();
  std::string text = fmt::format("{} {} {} {}\n",
                                 style.bold(location_text(printable(problem.file), problem.line, problem.column) + ":"),
                                 tier_text(problem.tier, style), style.bold(printable(problem_title(problem))),
                                 style.faint(fmt::format("[{}]", problem.fault))) +
                     excerpt(source, problem.file, problem.line, problem.column, style);
  text += field("in", within_text(finding), style) + tried_fields(problem, style);
  text += field("why", why_text(finding, is_ending(finding.kind)), style);
  if (finding.parts)
    text += field("parts", parts_text(*finding.parts), style);
  if (problem.tier == Tier::note)
    text += field("note", reason_text(finding), style);
  else if (finding.verdict != Verdict::avoidable && is_error(finding.kind))
    text += field("note", verdict_text(finding.kind, finding.verdict), style);
  text += field("when", when_text(finding), style);
  text += field("fix", remedy_text(finding), style);
  text += field("worst", worst_text(problem), style);
  text += field("same", same_text(problem), style);
  text += field("aside", set_aside_text(finding), style);
  return text + "\n";
}

std::string problem_line(const Problem& problem, const Style& style) {
  const Finding& finding = problem.representative();
  const std::string reason = problem.tier == Tier::note ? fmt::format(", {}", reason_text(finding)) : "";
  constexpr size_t widest = 120;
  return fmt::format("{} {} {}\n",
                     style.bold(location_text(printable(problem.file), problem.line, problem.column) + ":"),
                     tier_text(problem.tier, style),
                     shortened(printable(fmt::format("{}{} [{}] {}({})", problem_title(problem), reason, problem.fault,
                                                     problem.functions.front(), brief_input(finding.input))),
                               widest));
}

std::string why_text(const Finding& finding, bool detail_is_shown) {
  if (finding.diagnosis && !finding.diagnosis->why.empty())
    return numeric::as_typed(finding.diagnosis->why);
  const bool shown = detail_is_shown || finding.detail == "it reaches the output"; // the result shows it
  return shown ? "" : numeric::as_typed(finding.detail);
}

std::string when_text(const Finding& finding) {
  std::string text = finding.when;
  if (finding.share)
    text += fmt::format("{}{}", text.empty() ? "" : "; ", share_text(*finding.share));
  return text;
}

std::string share_text(const Share& share) {
  const char* of = share.of_range ? "inputs in the range" : "everyday inputs";
  constexpr double rare = 0.1; // smaller shares are written as "1 in"
  auto one_in = [](double part) { return fmt::format("1 in {}", count_text(std::round(1 / part))); };
  if (share.low <= 0)
    return fmt::format("fewer than {} {}", one_in(share.high), of);
  if (share.high > rare)
    return fmt::format("{:.0f} to {:.0f} % of {}", 100 * share.low, 100 * share.high, of);
  return fmt::format("{} to {} {}", one_in(share.low), one_in(share.high), of);
}

int telling_digits(const Finding& finding) {
  const double relative = finding.error && finding.error->relative > 0 ? finding.error->relative : 1;
  // Two more than the right ones; at least 3, as for measures, and at most 17, which distinguish all binary64 numbers.
  return std::clamp(int(std::ceil(-std::log10(relative))) + 2, 3, 17);
}

std::string problem_message(const Problem& problem) {
  const Finding& finding = problem.representative();
  std::string message = capital(titled(problem), problem.source) + ".";
  add_line(message, "In: ", within_text(finding));
  add_line(message, "Try: ", try_text(problem));
  add_line(message, "Why: ", why_text(finding, !finding.output)); // without an output, the line above is the detail
  if (problem.tier == Tier::note || finding.verdict != Verdict::avoidable)
    add_line(message, "Verdict: ", verdict_text(finding.kind, finding.verdict));
  add_line(message, "Built: ", capital(finding.built, ""));
  add_line(message, "When: ", when_text(finding));
  add_line(message, "Fix: ", fix_text(finding));
  if (!finding.replay.empty())
    message += fmt::format("\nAgain: {}", finding.replay); // no full stop: the command is pasted
  return message;
}

Problem problem_in(const Problem& problem, const TargetReport& target) {
  Problem own = problem;
  numeric::sort_stably(own.findings, {}, [&](const Evidence& evidence) { return evidence.target != &target; });
  own.set_aside = own.representative().set_aside();
  own.tier = tier_of(own.representative());
  own.functions = {target.function};
  if (const auto& cause = own.representative().cause; cause && cause->file == own.file && cause->line == own.line) {
    own.column = cause->column;
    own.source = cause->source;
  }
  return own;
}

std::string problem_headline(const Problem& problem) {
  return fmt::format("{}: {} [{}]", location_text(problem.file, problem.line, 0), titled(problem), problem.fault);
}

} // namespace faultline::report
