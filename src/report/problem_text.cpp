#include "report/problem_text.h"

#include "numeric/decimal.h"
#include "report/explain_text.h"
#include "report/problem_message.h"
#include "report/screen.h"
#include "report/wording.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace faultline::report {

using finding::Evidence;
using finding::Finding;
using finding::Kind;
using finding::Problem;
using finding::Tier;
using numeric::as_typed;

namespace {

constexpr size_t screen = 100;   // columns that most terminals have
constexpr size_t most_tried = 3; // functions whose inputs are shown
constexpr size_t label_width = 6;

std::string tier_text(Tier tier, const Style& style) {
  const std::string word = fmt::format("{}:", finding::text(tier));
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
  return fmt::format("{} correct digit{} left", digits, digits == 1 ? "" : "s");
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
  const std::optional<finding::Cause>& cause = problem.representative().cause;
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
  const finding::Remedy& remedy = *finding.diagnosis->remedy;
  const std::string before = finding.error && std::isfinite(finding.error->relative)
                                 ? fmt::format("{} -> ", measure_text(finding.error->relative))
                                 : "";
  return fmt::format("{}: error {}{} ({})", as_typed(remedy.advice), before, measure_text(remedy.relative),
                     tried_text(remedy));
}

std::string worst_text(const Problem& problem) {
  const Finding* worst = problem.worst.finding;
  const Finding& speaker = problem.representative();
  if (!worst || worst == &speaker || !speaker.error || !(worst->error->relative > speaker.error->relative))
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
    parts.push_back(fmt::format("{} more input{}", inputs, inputs == 1 ? "" : "s"));
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
  if (finding.aftermath) {
    if (!finding.aftermath->silent())
      return fmt::format("reported {}", reported_text(*finding.aftermath));
    if (is_folded(finding))
      return "the result is right";
    if (!finding.aftermath->reaches_output && finding.aftermath->result != finding::Result::wrong)
      return "no known effect on an output";
  }
  return std::string(text(finding.verdict));
}

} // namespace

std::string problem_title(const Problem& problem) {
  const Finding& finding = problem.representative();
  const std::string place = subject(problem);
  const auto title = [&](Kind kind) { return fmt::format(fmt::runtime(info(kind).title), place); };
  if (is_exception(finding.kind))
    return title(finding.kind) + result_words(finding);
  if (is_error(finding.kind)) {
    const auto fault = finding::fault_of(problem.fault);
    const auto exception = finding::kind_of(problem.fault);
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
  text += tried_fields(problem, style);
  text += field("why", why_text(finding, is_ending(finding.kind)), style);
  if (finding.parts)
    text += field("parts", parts_text(*finding.parts), style);
  if (problem.tier == Tier::note)
    text += field("note", reason_text(finding), style);
  else if (finding.verdict != finding::Verdict::avoidable && is_error(finding.kind))
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

} // namespace faultline::report
