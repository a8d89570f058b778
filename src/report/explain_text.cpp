#include "report/explain_text.h"

#include "report/excerpt.h"
#include "report/table.h"
#include "report/text.h"
#include "report/wording.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using finding::Explanation;
using finding::Finding;
using finding::OperationRow;

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

// The one to look at: the others may follow from it.
std::string first_exception(const Explanation& explanation) {
  const auto& findings = explanation.target.findings;
  const auto first =
      std::ranges::find_if(findings, [](const Finding& finding) { return finding.aftermath && finding.counts(); });
  if (first == findings.end() || !first->cause)
    return "";
  return fmt::format("the first exception: {} in {} at {}", text(first->kind), first->cause->operation,
                     location_text(first->cause->file, first->cause->line, first->cause->column));
}

// Where nothing is wrong, that is said plainly.
std::string accuracy(const Explanation& explanation) {
  const finding::Error& error = *explanation.error;
  const std::string subject =
      explanation.judged > 1 ? fmt::format("all {} outputs are", explanation.judged) : "the result is";
  const std::string& computed = explanation.output->computed.decimal;
  if (computed == "nan" || computed == "-nan" || computed.ends_with("inf")) {
    const bool same = explanation.output->reference.decimal == computed;
    return error.ulps != 0 ? ""
           : same          ? fmt::format("{} is what exact arithmetic gives, too", computed)
                           : "the exact result is out of range, too";
  }
  if (error.ulps > finding::accurate_ulps || std::isnan(error.ulps))
    return "";
  return error.ulps <= 1 ? fmt::format("{} right to within 1 ulp", subject)
                         : fmt::format("{} right to within {} ulps", subject, count_text(std::ceil(error.ulps)));
}

std::vector<std::string> conclusions(const Explanation& explanation) {
  std::vector<std::string> sentences;
  const bool judged = explanation.error && explanation.output && explanation.target.note.empty();
  if (std::string right = judged ? accuracy(explanation) : ""; !right.empty())
    sentences.push_back(explanation.oracle == "none"       ? "as far as an estimate can tell, " + right
                        : explanation.target.counted() > 0 ? right
                                                           : right + ": nothing is wrong at this input");
  if (explanation.uncounted && explanation.error)
    sentences.push_back(fmt::format("wrong by {} ulps, but no finding: {}", count_text(explanation.error->ulps),
                                    explanation.uncounted->detail));
  if (const std::string first = first_exception(explanation); !first.empty())
    sentences.push_back(first);
  return sentences;
}

std::string heading(const Explanation& explanation, const Style& style) {
  const finding::TargetReport& target = explanation.target;
  const std::string ending = explanation.outcome == "returned" ? " returned"
                             : explanation.outcome.empty()     ? " was run"
                                                               : ": " + printable(explanation.outcome);
  std::string text = fmt::format("{} {}\n", style.bold(location_text(printable(target.file), target.line, 0) + ":"),
                                 style.bold(printable(target.function) + ending));
  const char* word = "input";
  for (const std::string& input : input_lines(explanation.input)) {
    text += label(word, style) + printable(input) + "\n";
    word = "";
  }
  if (explanation.output) {
    const finding::Output& output = *explanation.output;
    text += label("computed", style) + printable(output.name) + " = " + number_text(output.computed) + "\n";
    if (!output.reference.decimal.empty())
      text += label("reference", style) + number_text(output.reference) + "\n";
  }
  if (explanation.error)
    text += label("error", style) + error_text(*explanation.error) + "\n";
  if (explanation.parts)
    text += label("parts", style) + parts_text(*explanation.parts) + "\n";
  if (explanation.error && !explanation.oracle.empty() && explanation.oracle != "none")
    text += label("oracle", style) + oracle_text(explanation.oracle) + "\n";
  for (const std::string& sentence : conclusions(explanation))
    text += label("result", style) + printable(sentence) + "\n";
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
  if (explanation.too_long)
    text += "  ... and the rest, which is not recorded\n";
  else if (explanation.omitted)
    text += fmt::format("  ... and {} more operations (--most N shows more)\n", explanation.omitted);
  return text;
}

bool is_harmless(const Finding& finding) { return finding.aftermath && finding.aftermath->harmless; }

std::string findings(const Explanation& explanation, const SourceLine& source, const Style& style) {
  std::string text;
  for (const Finding& finding : explanation.target.findings)
    if (!is_harmless(finding))
      text += "\n" + finding_at_input_text(explanation.target, finding, explanation.output, source, style);
  if (explanation.uncounted && explanation.uncounted->cause) {
    Finding uncounted = *explanation.uncounted;
    uncounted.detail.clear(); // the heading has it
    text += "\n" + finding_at_input_text(explanation.target, uncounted, explanation.output, source, style);
  }
  return text;
}

std::string harmless(const Explanation& explanation, const Style& style) {
  std::string text;
  for (const Finding& finding : explanation.target.findings) {
    if (!is_harmless(finding) || !finding.cause)
      continue;
    const finding::Cause& cause = *finding.cause;
    text += label("note", style) +
            printable(fmt::format("{} of {} at {}: {}", finding::text(finding.kind), cause.operation,
                                  location_text(cause.file, cause.line, cause.column), finding.detail)) +
            "\n";
  }
  return text;
}

std::string printed(const Explanation& explanation, const Style& style) {
  std::string text;
  for (const std::string& line : explanation.printed)
    text += label(text.empty() ? "prints" : "", style) + printable(line) + "\n";
  return text;
}

std::string notes(const Explanation& explanation, const Style& style) {
  std::string text = printed(explanation, style) + harmless(explanation, style);
  for (const std::string& note : explanation.notes)
    text += label("note", style) + printable(note) + "\n";
  if (!explanation.target.note.empty())
    text += label("note", style) + printable(explanation.target.note) + "\n";
  if (explanation.interrupted)
    text += label("note", style) + "the worker ended with the call: the list of operations is not complete\n";
  return text.empty() ? "" : "\n" + text;
}

} // namespace

std::string explain_text(const Explanation& explanation, const SourceLine& source, const Style& style) {
  return heading(explanation, style) + "\n" + operations(explanation, style) + findings(explanation, source, style) +
         notes(explanation, style);
}

} // namespace faultline::report
