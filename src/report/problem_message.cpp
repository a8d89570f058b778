#include "report/problem_message.h"

#include "numeric/decimal.h"
#include "numeric/stable_sort.h"
#include "report/explain_text.h"
#include "report/problem_text.h"
#include "report/wording.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::report {

using finding::Evidence;
using finding::Finding;
using finding::Problem;
using finding::TargetReport;
using numeric::as_typed;

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

std::string share_text(const finding::Share& share) {
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

namespace {

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

std::string try_text(const Problem& problem) {
  const Finding& finding = problem.representative();
  const std::string outcome = outcome_text(finding);
  return fmt::format("{} with {}{}{}", problem.target().function, brief_input(finding.input),
                     outcome.empty() ? "" : ": ", outcome);
}

std::string fix_text(const Finding& finding) {
  if (!finding.diagnosis || !finding.diagnosis->remedy)
    return {};
  const finding::Remedy& remedy = *finding.diagnosis->remedy;
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

std::string problem_message(const Problem& problem) {
  const Finding& finding = problem.representative();
  std::string message = capital(titled(problem), problem.source) + ".";
  add_line(message, "Try: ", try_text(problem));
  add_line(message, "Why: ", why_text(finding, !finding.output)); // without an output, the line above is the detail
  if (problem.tier == finding::Tier::note || finding.verdict != finding::Verdict::avoidable)
    add_line(message, "Verdict: ", verdict_text(finding.kind, finding.verdict));
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
