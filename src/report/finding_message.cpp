#include "report/finding_message.h"

#include "report/wording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using finding::Finding;
using finding::TargetReport;

namespace {

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

void add_sentence(std::string& message, const std::string& sentence) {
  if (!sentence.empty())
    message += capital(sentence) + (sentence.ends_with('.') ? "\n" : ".\n");
}

std::string outcome_text(const Finding& finding) {
  const auto& output = finding.output;
  if (!output)
    return {};
  const std::string computed = output->name == "return"
                                   ? fmt::format("it returns {}", output->computed.decimal)
                                   : fmt::format("the output {} is {}", output->name, output->computed.decimal);
  return output->reference.decimal.empty()
             ? computed
             : fmt::format("{}; the correct value is {}", computed, output->reference.decimal);
}

std::string remedy_text(const Finding& finding) {
  if (!finding.diagnosis || !finding.diagnosis->remedy)
    return {};
  const finding::Remedy& remedy = *finding.diagnosis->remedy;
  return fmt::format("{}: the relative error is {} then", remedy.advice, measure_text(remedy.relative));
}

} // namespace

std::string finding_headline(const TargetReport& target, const Finding& finding) {
  const std::string_view rule = finding::rule(finding);
  if (finding.error && is_error(finding.kind))
    return fmt::format("{}: relative error {} in {}", rule, measure_text(finding.error->relative), target.function);
  if (finding.cause && !finding.cause->operation.empty())
    return fmt::format("{}: {} in {}", rule, finding.cause->operation, target.function);
  return fmt::format("{} in {}", rule, target.function);
}

std::string finding_message(const TargetReport& target, const Finding& finding) {
  std::string message;
  add_sentence(message, finding_headline(target, finding));
  add_sentence(message, fmt::format("input: {}", fmt::join(input_lines(finding.input), ", ")));
  add_sentence(message, outcome_text(finding));
  add_sentence(message, finding.detail);
  if (finding.diagnosis)
    add_sentence(message, finding.diagnosis->why);
  add_sentence(message, verdict_text(finding.kind, finding.verdict));
  add_sentence(message, remedy_text(finding));
  if (!finding.replay.empty())
    message += fmt::format("Again: {}\n", finding.replay); // no full stop: it is pasted
  message.pop_back();
  return message;
}

} // namespace faultline::report
