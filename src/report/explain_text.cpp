#include "report/explain_text.h"

#include "model/json/finding_json.h"
#include "model/json/json_place.h"
#include "report/text.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using namespace model;

namespace {

constexpr double small_share = 0.005; // smaller shares are not printed
constexpr size_t most_shares = 4, widest_step = 60;

std::string place_text(const std::string& file, int line, const std::string& own_file) {
  if (line == 0)
    return "?";
  if (file == own_file || file.empty())
    return fmt::format("line {}", line);
  return fmt::format("{}:{}", std::filesystem::path(file).filename().string(), line);
}

// Among several executions of the operation at fault, returns the one at which the error grows most.
size_t guilty_step(const Finding& finding, const std::vector<ChainLink>& chain) {
  size_t guilty = chain.size();
  double most = -1;
  for (size_t i = 0; i < chain.size(); ++i) {
    const double growth = i == 0 || !(chain[i - 1].error > 0) ? 0 : chain[i].error / chain[i - 1].error;
    if (is_at(chain[i], finding.cause) && growth > most) {
      most = growth;
      guilty = i;
    }
  }
  return guilty;
}

Json operation_json(const OperationRow& row) {
  Json conditions = Json::array();
  for (const double condition : row.conditions)
    conditions.push_back(measure(condition));
  Json json{{"file", row.file},         {"line", row.line},           {"column", row.column},
            {"function", row.function}, {"operation", row.operation}, {"text", row.text},
            {"operands", row.operands}, {"conditions", conditions},   {"result", row.result}};
  if (!row.reference.empty())
    json["exact"] = row.reference;
  json["error"] = measure(row.relative_error);
  json["share"] = measure(row.share);
  return json;
}

Json explanation_json(const Explanation& explanation) {
  Json json{{"input", to_json(explanation.input)}, {"ended", explanation.outcome}};
  if (explanation.output)
    json["output"] = to_json(*explanation.output);
  if (explanation.error)
    json["error"] = to_json(*explanation.error);
  json["oracle"] = explanation.oracle;
  if (explanation.uncounted)
    json["uncounted"] = to_json(*explanation.uncounted);
  json["notes"] = explanation.notes;
  if (!explanation.printed.empty())
    json["printed"] = explanation.printed;
  Json operations = Json::array();
  for (const OperationRow& row : explanation.rows)
    operations.push_back(operation_json(row));
  json["operations"] = operations;
  json["omitted"] = explanation.omitted;
  json["complete"] = !explanation.too_long && !explanation.interrupted && explanation.omitted == 0;
  return json;
}

constexpr double large_share = 0.1; // rows with larger shares are bold

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

// Formats a measure with five digits, as in the papers.
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

// Returns the first exception. The others may follow from it.
std::string first_exception(const Explanation& explanation) {
  const auto& findings = explanation.target.findings;
  const auto first =
      std::ranges::find_if(findings, [](const Finding& finding) { return finding.aftermath && finding.counts(); });
  if (first == findings.end() || !first->cause)
    return "";
  return fmt::format("the first exception: {} in {} at {}", text(first->kind), first->cause->operation,
                     location_text(first->cause->file, first->cause->line, first->cause->column));
}

// Describes the accuracy, including that nothing is wrong.
std::string accuracy(const Explanation& explanation) {
  const Error& error = *explanation.error;
  const std::string subject =
      explanation.judged > 1 ? fmt::format("all {} outputs are", explanation.judged) : "the result is";
  const std::string& computed = explanation.output->computed.decimal;
  if (computed == "nan" || computed == "-nan" || computed.ends_with("inf")) {
    const bool same = explanation.output->reference.decimal == computed;
    return error.ulps != 0 ? ""
           : same          ? fmt::format("{} is what exact arithmetic gives, too", computed)
                           : "the exact result is out of range, too";
  }
  if (error.ulps > model::accurate_ulps || std::isnan(error.ulps))
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
    sentences.push_back(fmt::format("wrong by {} ulps, but not a finding: {}", count_text(explanation.error->ulps),
                                    explanation.uncounted->detail));
  if (const std::string first = first_exception(explanation); !first.empty())
    sentences.push_back(first);
  return sentences;
}

std::string heading(const Explanation& explanation, const Style& style) {
  const TargetReport& target = explanation.target;
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
    const Output& output = *explanation.output;
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
    text += "  ... and more operations, which are not recorded\n";
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
    uncounted.detail.clear(); // it is in the heading
    text += "\n" + finding_at_input_text(explanation.target, uncounted, explanation.output, source, style);
  }
  return text;
}

std::string harmless(const Explanation& explanation, const Style& style) {
  std::string text;
  for (const Finding& finding : explanation.target.findings) {
    if (!is_harmless(finding) || !finding.cause)
      continue;
    const Cause& cause = *finding.cause;
    text += label("note", style) +
            printable(fmt::format("{} of {} at {}: {}", model::text(finding.kind), cause.operation,
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

std::string tried_text(const Remedy& remedy) {
  if (remedy.tried == 0) // a report of an older version
    return "tried";
  const size_t thousands = remedy.tried / 1000, rest = remedy.tried % 1000;
  return thousands > 0 ? fmt::format("tried on {},{:03} inputs", thousands, rest)
                       : fmt::format("tried on {} inputs", rest);
}

std::string hint_text(const Diagnosis& diagnosis) {
  if (!diagnosis.remedy)
    return "";
  return fmt::format("{}: the relative error becomes {} ({})", diagnosis.remedy->advice,
                     measure_text(diagnosis.remedy->relative), tried_text(*diagnosis.remedy));
}

std::string shares_text(const Diagnosis& diagnosis, const std::string& own_file) {
  constexpr double nonsense = 10; // the sum of all shares is 1
  for (const LineShare& line : diagnosis.lines)
    if (std::fabs(line.share) > nonsense)
      return "roundings of several lines that nearly cancel";
  std::vector<std::string> shares;
  for (const LineShare& line : diagnosis.lines)
    if (std::fabs(line.share) >= small_share && shares.size() < most_shares)
      shares.push_back(fmt::format("{} ({:.0f} %)", place_text(line.file, line.line, own_file), 100 * line.share));
  return fmt::format("{}", fmt::join(shares, ", "));
}

std::string chain_text(const Finding& finding, const Style& style) {
  if (!finding.diagnosis || finding.diagnosis->chain.empty())
    return "";
  const std::vector<ChainLink>& chain = finding.diagnosis->chain;
  const std::string own_file = finding.cause ? finding.cause->file : "";
  size_t places = 0, steps = 0;
  for (const ChainLink& step : chain) {
    places = std::max(places, place_text(step.file, step.line, own_file).size());
    steps = std::max(steps, std::min(width(printable(step.text)), widest_step));
  }
  std::string text;
  const size_t guilty = guilty_step(finding, chain);
  const char* label = "chain";
  for (const ChainLink& step : chain) {
    const std::string shown = shortened(printable(step.text), widest_step);
    if (step.skipped > 0)
      text += fmt::format("  {:9} ... {} more\n", "", step.skipped);
    text += fmt::format("  {} {:{}}  {}{}  error {}{}\n", style.faint(fmt::format("{:9}", label)),
                        printable(place_text(step.file, step.line, own_file)), places, shown,
                        std::string(steps - width(shown), ' '), measure_text(step.error),
                        &step == chain.data() + guilty ? "  <- cause" : "");
    label = "";
  }
  return text;
}

std::string explain_json(const Explanation& explanation, const Report& report) {
  Json json = to_json(report);
  json["targets"][0]["explanation"] = explanation_json(explanation);
  return model::json_text(json, 2) + "\n";
}

std::string explain_text(const Explanation& explanation, const SourceLine& source, const Style& style) {
  return heading(explanation, style) + "\n" + operations(explanation, style) + findings(explanation, source, style) +
         notes(explanation, style);
}

} // namespace faultline::report
