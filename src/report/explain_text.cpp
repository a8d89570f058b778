#include "report/explain_text.h"

#include "report/diagnosis_text.h"
#include "report/excerpt.h"
#include "report/table.h"
#include "report/wording.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using campaign::Explanation;
using campaign::OperationRow;

namespace {

constexpr double large_share = 0.1; // such rows are bold

std::string line_cell(const OperationRow& row, const std::string& own_file) {
  if (row.line == 0)
    return "?";
  const std::string place = row.column ? fmt::format("{}:{}", row.line, row.column) : fmt::format("{}", row.line);
  const bool own = row.file == own_file || row.file.empty();
  return own ? place : fmt::format("{}:{}", std::filesystem::path(row.file).filename().string(), place);
}

std::string share_cell(double share) {
  if (!(std::abs(share) >= 0.0005))
    return std::isnan(share) ? "?" : "-";
  return fmt::format("{:.1f} %", 100 * share);
}

// As the papers print measures: five digits.
std::string precisely(double measure) {
  return std::isfinite(measure) && measure != 0 ? fmt::format("{:.4e}", measure) : measure_text(measure);
}

std::string conditions_cell(const std::vector<double>& conditions) {
  std::vector<std::string> texts;
  for (const double condition : conditions)
    texts.push_back(condition == std::floor(condition) ? count_text(condition) : precisely(condition));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string label(const char* word, const Style& style) { return "  " + style.faint(fmt::format("{:9}", word)) + " "; }

std::string heading(const Explanation& explanation, const Style& style) {
  const campaign::TargetReport& target = explanation.target;
  std::string text =
      fmt::format("{} {}\n", style.bold(location_text(printable(target.file), target.line, 0) + ":"),
                  style.bold(fmt::format("{} {}", printable(target.function),
                                         explanation.outcome.empty() ? "was run" : printable(explanation.outcome))));
  const char* word = "input";
  for (const std::string& input : input_lines(explanation.input)) {
    text += label(word, style) + printable(input) + "\n";
    word = "";
  }
  if (explanation.output) {
    const campaign::Output& output = *explanation.output;
    text += label("computed", style) + printable(output.name) + " = " + number_text(output.computed) + "\n";
    if (!output.reference.decimal.empty())
      text += label("reference", style) + number_text(output.reference) + "\n";
  }
  if (explanation.error)
    text += label("error", style) + error_text(*explanation.error) + "\n";
  if (!explanation.oracle.empty() && explanation.oracle != "none")
    text += label("oracle", style) + oracle_text(explanation.oracle) + "\n";
  return text;
}

std::string operations(const Explanation& explanation, const Style& style) {
  if (explanation.rows.empty())
    return "  no floating-point operation was executed\n";
  std::vector<Row> rows;
  std::vector<bool> emphasised;
  for (const OperationRow& row : explanation.rows) {
    rows.push_back({line_cell(row, explanation.target.file), row.text.empty() ? row.operation : row.text,
                    fmt::format("{}", fmt::join(row.operands, ", ")), conditions_cell(row.conditions), row.result,
                    precisely(row.relative_error), share_cell(row.share)});
    for (std::string& cell : rows.back())
      cell = printable(cell);
    emphasised.push_back(std::abs(row.share) >= large_share);
  }
  std::string text = table({{"line", Align::right, 28},
                            {"operation", Align::left, 36},
                            {"operands", Align::left, 44},
                            {"condition", Align::right, 22},
                            {"result", Align::left, 24},
                            {"relative error", Align::right},
                            {"own share", Align::right}},
                           rows, style, emphasised);
  text +=
      "  own share: how much of the output's error is this operation's own rounding; the cause is what amplified it\n";
  if (explanation.omitted)
    text += fmt::format("  ... and {} more operations (--most N shows more)\n", explanation.omitted);
  return text;
}

std::string diagnosis(const campaign::Finding& finding, const Style& style) {
  if (!finding.diagnosis)
    return "";
  const campaign::Diagnosis& diagnosis = *finding.diagnosis;
  std::string text = label("class", style) + std::string(headline(diagnosis.fault)) + "\n";
  if (!diagnosis.why.empty())
    text += label("why", style) + printable(diagnosis.why) + "\n";
  if (const std::string hint = hint_text(diagnosis); !hint.empty())
    text += label("hint", style) + printable(hint) + "\n";
  if (const std::string shares = shares_text(diagnosis, finding.cause ? finding.cause->file : ""); !shares.empty())
    text += label("lines", style) + printable(shares) + "\n";
  return text + chain_text(finding, style);
}

std::string judgement(const Explanation& explanation, const Style& style) {
  std::string text;
  for (const campaign::Finding& finding : explanation.target.findings) {
    text += label("finding", style) + style.bad(campaign::text(finding.kind));
    text += (finding.detail.empty() ? "" : ": " + printable(finding.detail)) + "\n";
    if (finding.cause) {
      const campaign::Cause& cause = *finding.cause;
      text += label("cause", style) + location_text(printable(cause.file), cause.line, cause.column) + ": " +
              printable(cause_text(finding.kind, cause)) + "\n";
    }
    text += diagnosis(finding, style);
    if (const std::string verdict = verdict_text(finding.kind, finding.verdict); !verdict.empty())
      text += label("verdict", style) + verdict + "\n";
  }
  if (!explanation.target.note.empty())
    text += label("note", style) + printable(explanation.target.note) + "\n";
  if (explanation.interrupted)
    text += "  interrupted: the list is not complete\n";
  return text;
}

} // namespace

std::string explain_text(const Explanation& explanation, const Style& style) {
  const std::string end = judgement(explanation, style);
  return heading(explanation, style) + "\n" + operations(explanation, style) + (end.empty() ? "" : "\n" + end);
}

} // namespace faultline::report
