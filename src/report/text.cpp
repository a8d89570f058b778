#include "report/text.h"

#include "finding/expression.h"
#include "finding/set_aside.h"
#include "report/explain_text.h"
#include "report/screen.h"
#include "report/wording.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <tuple>

namespace faultline::report {

using finding::Finding;
using finding::Report;
using finding::TargetOutcome;
using finding::TargetReport;

namespace {

constexpr size_t widest_line = 160;

} // namespace

SourceLine source_files(const std::vector<std::string>& folders) {
  auto files = std::make_shared<finding::SourceText>(folders);
  return [files](const std::string& file, int line) -> std::optional<std::string> {
    const std::string* found = files->line(file, line);
    return found ? std::optional(*found) : std::nullopt;
  };
}

std::string excerpt(const SourceLine& source, const std::string& file, int line, int column, const Style& style) {
  const std::optional<std::string> found = source ? source(file, line) : std::nullopt;
  if (!found)
    return {};
  std::string text = fmt::format("{:5} | {}\n", line, shortened(printable(*found), widest_line));
  auto at = static_cast<size_t>(column);
  if (column < 1 || at > found->size() || at > widest_line - 3)
    return text;
  // The compiler counts bytes, the terminal counts characters.
  auto characters = [&](size_t from, size_t to) { return width(printable(found->substr(from - 1, to - from))); };
  const std::optional<finding::Expression> expression = finding::expression_in(file, *found, column);
  const size_t first = expression ? size_t(expression->first) : at, end = expression ? size_t(expression->end) : at + 1;
  at = std::max(at, first); // for a statement in Fortran: after the equals sign
  const std::string before(characters(first, at), '~'), after(characters(at + 1, std::max(end, at + 1)), '~');
  text += fmt::format("      | {}{}\n", std::string(characters(1, first), ' '), style.mark(before + "^" + after));
  return text;
}

namespace {

// The subject of the first line: the error if the finding is one, else the event, else the place.
std::string subject_of(const TargetReport& target, const Finding& finding) {
  if (finding.error && is_error(finding.kind)) {
    const bool classified = finding.diagnosis && finding.diagnosis->fault != finding::Fault::unclassified;
    return fmt::format("relative error {} in {}{}", measure_text(finding.error->relative), target.function,
                       classified ? fmt::format(": {}", headline(finding.diagnosis->fault)) : "");
  }
  if (finding.cause && !finding.cause->operation.empty())
    return fmt::format("{} in {}", finding.cause->operation, target.function);
  return finding.detail.empty() ? target.function : fmt::format("{}: {}", target.function, finding.detail);
}

std::string field(const char* label, const std::string& value, const Style& style) {
  return value.empty() ? "" : fmt::format("  {} {}\n", style.faint(fmt::format("{:9}", label)), printable(value));
}

std::string judged_by(const Finding& finding) {
  const bool judged = !finding.oracle.empty() && finding.oracle != "none";
  return judged ? oracle_text(finding.oracle) : "";
}

// Returns the place, the subject, and the source line.
std::string opening(const TargetReport& target, const Finding& finding, const std::string& subject,
                    const SourceLine& source, const Style& style) {
  const bool placed = finding.cause && !finding.cause->file.empty() && finding.cause->line > 0;
  const std::string& file = placed ? finding.cause->file : target.file;
  const int line = placed ? finding.cause->line : target.line;
  const int column = placed ? finding.cause->column : 0;
  return fmt::format("{} {} {}\n", style.bold(location_text(printable(file), line, column) + ":"),
                     style.bad(fmt::format("{}:", finding::text(finding.kind))), style.bold(printable(subject))) +
         excerpt(source, file, line, column, style);
}

std::string judgement_fields(const Finding& finding, const Style& style) {
  const finding::Diagnosis diagnosis = finding.diagnosis.value_or(finding::Diagnosis());
  return field("why", diagnosis.why, style) + field("verdict", verdict_text(finding.kind, finding.verdict), style) +
         field("hint", hint_text(diagnosis), style);
}

std::string input_fields(const Finding& finding, const Style& style) {
  std::string text;
  const char* label = "input";
  for (const std::string& input : input_lines(finding.input)) {
    text += field(label, input, style);
    label = "";
  }
  return text;
}

std::string output_fields(const Finding& finding, const Style& style) {
  std::string text;
  if (finding.output) {
    text +=
        field("computed", fmt::format("{} = {}", finding.output->name, number_text(finding.output->computed)), style);
    text += field("reference", number_text(finding.output->reference), style);
  }
  if (finding.error && (is_error(finding.kind) || finding.error->relative != 0))
    text += field("error", error_text(*finding.error), style);
  if (finding.parts)
    text += field("parts", parts_text(*finding.parts), style);
  return text;
}

enum class Cause : uint8_t { named, with_place };

std::string origin_fields(const TargetReport& target, const Finding& finding, const std::string& subject, Cause form,
                          const Style& style) {
  std::string text;
  if (!subject.ends_with(finding.detail))
    text += field("detail", finding.detail, style);
  const finding::Cause cause = finding.cause.value_or(finding::Cause());
  if (finding.cause)
    text += field("cause",
                  (form == Cause::with_place ? location_text(cause.file, cause.line, cause.column) + ": " : "") +
                      cause_text(finding.kind, cause),
                  style);
  if (finding.aftermath)
    text += field("reported", reported_text(*finding.aftermath), style);
  const std::string& file = !cause.file.empty() && cause.line > 0 ? cause.file : target.file;
  text += field("lines", shares_text(finding.diagnosis.value_or(finding::Diagnosis()), file), style);
  return text + chain_text(finding, style) + field("ignored", set_aside_text(finding), style);
}

} // namespace

std::string finding_text(const TargetReport& target, const Finding& finding, const SourceLine& source,
                         const Style& style) {
  const std::string subject = subject_of(target, finding);
  return opening(target, finding, subject, source, style) + judgement_fields(finding, style) +
         input_fields(finding, style) + output_fields(finding, style) +
         origin_fields(target, finding, subject, Cause::named, style) + field("also", witnesses_text(finding), style) +
         field("oracle", judged_by(finding), style) +
         field("strategy",
               finding.found_by.empty() ? finding.strategy
                                        : fmt::format("{}, by {}", finding.strategy, finding.found_by),
               style) +
         field("replay", finding.replay, style) + "\n";
}

std::string finding_at_input_text(const TargetReport& target, const Finding& finding,
                                  const std::optional<finding::Output>& shown, const SourceLine& source,
                                  const Style& style) {
  const std::string subject = subject_of(target, finding);
  const auto same_number = [](const finding::Number& one, const finding::Number& other) {
    return one.decimal.empty() || one.decimal == other.decimal;
  };
  const bool same = !finding.output || (shown && finding.output->name == shown->name &&
                                        same_number(finding.output->computed, shown->computed) &&
                                        same_number(finding.output->reference, shown->reference));
  return opening(target, finding, subject, source, style) + judgement_fields(finding, style) +
         (same ? "" : output_fields(finding, style)) +
         origin_fields(target, finding, subject, Cause::with_place, style);
}

std::string sighting_text(const TargetReport& target, const Finding& finding) {
  const bool placed = finding.cause && finding.cause->line > 0;
  const std::string place = placed ? location_text(finding.cause->file, finding.cause->line, finding.cause->column)
                                   : location_text(target.file, target.line, 0);
  return printable(fmt::format("{}: {}: {} so far, at {}; the search goes on", place, text(finding.kind),
                               subject_of(target, finding), brief_input(finding.input)));
}

} // namespace faultline::report
