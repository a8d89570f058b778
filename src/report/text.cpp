#include "report/text.h"

#include "report/diagnosis_text.h"
#include "report/set_aside_text.h"
#include "report/table.h"
#include "report/wording.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tuple>

namespace faultline::report {

using finding::Finding;
using finding::Report;
using finding::TargetOutcome;
using finding::TargetReport;

namespace {

// What the first line says: the error where the finding is one, else what happened, else where.
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

// Relative errors compare with infinity above every number and NaN below.
double rank(double error) { return std::isnan(error) ? -1 : error; }

std::optional<double> largest_error(const TargetReport& target) {
  std::optional<double> largest;
  for (const Finding& finding : target.findings)
    if (finding.error && is_error(finding.kind) && (!largest || rank(finding.error->relative) > rank(*largest)))
      largest = finding.error->relative;
  return largest;
}

// The table's order: by the largest error; then those with other findings; then as they are.
std::vector<const TargetReport*> largest_first(const Report& report) {
  std::vector<const TargetReport*> targets;
  for (const TargetReport& target : report.targets)
    targets.push_back(&target);
  std::ranges::sort(targets, {}, [](const TargetReport* target) {
    const std::optional<double> largest = largest_error(*target);
    return std::tuple(largest ? -rank(*largest) : 2, target->counted() == 0, target); // they stand in one vector
  });
  return targets;
}

std::string plural(size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string folded_line(const Report& report) {
  size_t folded = 0;
  for (const TargetReport& target : report.targets)
    folded += target.folded;
  return folded ? fmt::format("{} not shown; --all shows {}\n", plural(folded, "harmless underflow"),
                              folded == 1 ? "it" : "them")
                : "";
}

std::string closing_line(const Report& report, const Style& style) {
  size_t findings = 0, functions = 0;
  std::optional<double> largest;
  for (const TargetReport& target : report.targets) {
    findings += target.counted();
    functions += target.counted() > 0;
    if (const auto error = largest_error(target); error && (!largest || rank(*error) > rank(*largest)))
      largest = error;
  }
  const std::string total = plural(report.targets.size(), "function");
  std::string line = findings ? fmt::format("{} in {} of {}", plural(findings, "finding"), functions, total)
                              : fmt::format("no findings in {}", total);
  if (largest)
    line += fmt::format("; largest relative error {}", measure_text(*largest));
  std::vector<std::string> open;
  for (const auto outcome :
       {TargetOutcome::unknown, TargetOutcome::timed_out, TargetOutcome::crashed, TargetOutcome::interrupted})
    if (const size_t count = std::ranges::count(report.targets, outcome, &TargetReport::outcome))
      open.push_back(fmt::format("{} {}", count, text(outcome)));
  if (!open.empty())
    line += fmt::format("; not conclusive: {}", fmt::join(open, ", "));
  return style.bold(line) + "\n";
}

} // namespace

namespace {

// The place, what happened, and the source line.
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
  return field("why", diagnosis.why, style) + field("verdict", verdict_text(finding), style) +
         field("hint", hint_text(diagnosis), style);
}

std::string input_fields(const Finding& finding, const Style& style) {
  std::string text;
  const char* label = "input";
  for (const std::string& input : input_lines(finding.input)) {
    text += field(label, input, style);
    label = "";
  }
  return text + field("simplest", simplest_text(finding), style);
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
                                  const std::optional<finding::Output>& told, const SourceLine& source,
                                  const Style& style) {
  const std::string subject = subject_of(target, finding);
  const auto same_number = [](const finding::Number& one, const finding::Number& other) {
    return one.decimal.empty() || one.decimal == other.decimal;
  };
  const bool same = !finding.output || (told && finding.output->name == told->name &&
                                        same_number(finding.output->computed, told->computed) &&
                                        same_number(finding.output->reference, told->reference));
  return opening(target, finding, subject, source, style) + judgement_fields(finding, style) +
         (same ? "" : output_fields(finding, style)) +
         origin_fields(target, finding, subject, Cause::with_place, style);
}

std::string sighting_text(const TargetReport& target, const Finding& finding) {
  const bool placed = finding.cause && finding.cause->line > 0;
  const std::string place = placed ? location_text(finding.cause->file, finding.cause->line, finding.cause->column)
                                   : location_text(target.file, target.line, 0);
  return printable(fmt::format("{}: {}: {} so far, at {}; the search goes on", place, text(finding.kind),
                               subject_of(target, finding), fmt::join(input_lines(finding.input), ", ")));
}

std::string summary_text(const Report& report, const Style& style) {
  std::vector<Row> rows;
  std::string notes;
  for (const TargetReport* shown : largest_first(report)) {
    const TargetReport& target = *shown;
    const std::optional<double> largest = largest_error(target);
    rows.push_back({printable(target.function), std::string(text(target.outcome)), fmt::format("{}", target.counted()),
                    largest ? measure_text(*largest) : "-", fmt::format("{}", target.evaluations),
                    fmt::format("{:.3f}", target.seconds)});
    if (!target.note.empty())
      notes += fmt::format("  {}: {}\n", printable(target.function), printable(target.note));
  }
  std::string text;
  if (!rows.empty())
    text += table({{"function"},
                   {"outcome"},
                   {"findings", Align::right},
                   {"largest error", Align::right},
                   {"evaluations", Align::right},
                   {"seconds", Align::right}},
                  rows, style);
  return text + notes + folded_line(report) + closing_line(report, style);
}

std::string report_text(const Report& report, const SourceLine& source, const Style& style) {
  std::string text;
  for (const TargetReport& target : report.targets)
    for (const Finding& finding : target.findings)
      text += finding_text(target, finding, source, style);
  return text + summary_text(report, style);
}

} // namespace faultline::report
