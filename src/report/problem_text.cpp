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

constexpr size_t screen = 100; // columns if the output is no terminal
constexpr size_t widest_subject = 60;
constexpr size_t most_tried = 3; // functions whose inputs are shown
constexpr size_t label_width = 6;

std::string tier_text(Tier tier, const Style& style) {
  const std::string word = fmt::format("{}:", model::text(tier));
  return tier == Tier::error ? style.bad(word) : tier == Tier::warning ? style.warn(word) : style.bold(word);
}

// Wraps words at the width of a screen and indents further lines below the first.
std::string field(const char* label, const std::string& value, const Style& style, size_t columns) {
  if (value.empty())
    return {};
  const size_t indent = 2 + label_width + 1;
  std::string text;
  for (const std::string& line : wrapped(printable(value), std::max(columns, 2 * indent) - indent))
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
    return shortened(problem.source, widest_subject);
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
  if (!problem.other_lines.empty())
    parts.push_back(fmt::format("the same sums in line{} {}", problem.other_lines.size() > 1 ? "s" : "",
                                fmt::join(problem.other_lines, ", ")));
  if (problem.functions.size() > most_tried)
    parts.push_back(fmt::format("in {} functions: {}, ...", problem.functions.size(),
                                fmt::join(problem.functions.begin(), problem.functions.begin() + most_tried, ", ")));
  return fmt::format("{}", fmt::join(parts, "; "));
}

// The reason why a note is not a warning.
std::string reason_text(const Finding& finding) {
  if (!finding.built.empty())
    return finding.built;
  if (is_far_out(finding))
    return "such magnitudes are not everyday";
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

namespace {

// The function at fault, as people call it: without its parameters.
std::string faulty_function(const Problem& problem) {
  const std::optional<Cause>& cause = problem.representative().cause;
  const bool known = cause && !cause->function.empty() && cause->within.empty();
  return model::before_parameters(known ? cause->function : problem.target().function);
}

// What happened, without the function.
std::string event_text(const Problem& problem) {
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
                             : fault ? fmt::format(fmt::runtime(sentence(*fault)), place)
                                     : problem.fault;
    return finding.error ? fmt::format("{}, {}", what, digits_left(finding.error->relative)) : what;
  }
  return finding.detail.empty() ? std::string(text(finding.kind)) : finding.detail;
}

} // namespace

std::string problem_title(const Problem& problem) {
  return fmt::format("{}: {}", faulty_function(problem), event_text(problem));
}

std::string problem_block(const Problem& problem, const SourceLine& source, const Style& style,
                          std::optional<size_t> terminal) {
  const size_t columns = terminal.value_or(screen);
  const auto field = [&](const char* label, const std::string& value) {
    return report::field(label, value, style, columns);
  };
  const Finding& finding = problem.representative();
  std::string text = fmt::format("{} {} {} {}\n",
                                 style.bold(location_text(printable(problem.file), problem.line, problem.column) + ":"),
                                 tier_text(problem.tier, style), style.bold(printable(problem_title(problem))),
                                 style.faint(fmt::format("[{}]", problem.fault))) +
                     excerpt(source, problem.file, problem.line, problem.column, style);
  text += field("in", within_text(finding)) + tried_fields(problem, style);
  text += field("why", why_text(finding, is_ending(finding.kind)));
  if (finding.parts)
    text += field("parts", parts_text(*finding.parts));
  if (problem.tier == Tier::note)
    text += field("note", reason_text(finding));
  else if (finding.verdict != Verdict::avoidable && is_error(finding.kind))
    text += field("note", verdict_text(finding.kind, finding.verdict));
  text += field("when", when_text(finding));
  text += field("fix", remedy_text(finding));
  text += field("worst", worst_text(problem));
  text += field("same", same_text(problem));
  text += field("aside", set_aside_text(finding));
  return text + "\n";
}

std::string problem_line(const Problem& problem, const Style& style, std::optional<size_t> columns) {
  const Finding& finding = problem.representative();
  const std::string reason = problem.tier == Tier::note ? fmt::format(", {}", reason_text(finding)) : "";
  const std::string place = location_text(printable(problem.file), problem.line, problem.column) + ":";
  const std::string input = brief_input(finding.input), &target = problem.functions.front();
  const bool own = model::before_parameters(target) == faulty_function(problem); // the title names it
  const std::string at = own ? "at " + input : fmt::format("{}({})", target, input);
  constexpr size_t usual = 120, least = 40, tier_width = sizeof " warning: ";
  const size_t widest = columns ? std::max(least, *columns - std::min(*columns, width(place) + tier_width)) : usual;
  return fmt::format(
      "{} {} {}\n", style.bold(place), tier_text(problem.tier, style),
      shortened(printable(fmt::format("{}{} [{}] {}", problem_title(problem), reason, problem.fault, at)), widest));
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
  if (!finding.seen.empty())
    text += fmt::format("{}{} what the recorded runs use", text.empty() ? "" : "; ",
                        finding.seen == "outside" ? "outside of" : finding.seen);
  return text;
}

std::string share_text(const Share& share) {
  const char* of = share.of_range ? "inputs in the range" : "everyday inputs";
  const auto one_in = [](double part) { // one digit: an estimate has no more
    const double count = std::max(1 / part, 1.0), digit = std::pow(10.0, std::floor(std::log10(count)));
    return fmt::format("1 in {}", count_text(std::round(count / digit) * digit));
  };
  if (share.low <= 0)
    return fmt::format("fewer than {} {}", one_in(share.high), of);
  const double part = std::sqrt(share.low * share.high);
  constexpr double rare = 0.01, all = 0.99;
  if (part < rare)
    return fmt::format("about {} {}", one_in(part), of);
  return part > all ? fmt::format("nearly all {}", of) : fmt::format("about {:.0f} % of {}", 100 * part, of);
}

int telling_digits(const Finding& finding) {
  const double relative = finding.error && finding.error->relative > 0 ? finding.error->relative : 1;
  // Two more than the right ones; at least 3, as for measures, and at most 17, which distinguish all binary64 numbers.
  return std::clamp(int(std::ceil(-std::log10(relative))) + 2, 3, 17);
}

std::string problem_message(const Problem& problem) {
  const Finding& finding = problem.representative();
  std::string message = titled(problem) + ".";
  add_line(message, "In: ", within_text(finding));
  add_line(message, "Try: ", try_text(problem));
  add_line(message, "Why: ", why_text(finding, !finding.output)); // without an output, the line above is the detail
  if (problem.tier == Tier::note || finding.verdict != Verdict::avoidable)
    add_line(message, "Verdict: ", verdict_text(finding.kind, finding.verdict));
  add_line(message, "Built: ", finding.built);
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
