#include "report/sarif.h"

#include "model/expression.h"
#include "model/finding.h"
#include "model/json/finding_json.h"
#include "report/kind_pages.h"
#include "report/problem_text.h"
#include "report/text.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace faultline::report {

using namespace model;

namespace {

constexpr size_t window = 100;
constexpr uint64_t base = 37;
constexpr char16_t end_of_file = 0xFFFF;
constexpr char32_t not_utf8 = 0xFFFD; // the replacement character of decoders

// Removes the first character of the text and returns it.
char32_t next_character(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  char32_t code = length > 1 ? first & (0xFFu >> (length + 1)) : first;
  size_t used = 1;
  while (used < length && used < text.size() && (static_cast<unsigned char>(text[used]) & 0xC0) == 0x80)
    code = code << 6 | (static_cast<unsigned char>(text[used++]) & 0x3F);
  text.remove_prefix(used);
  return used == length && code <= 0x10FFFF ? code : not_utf8;
}

std::u16string units_of(std::string_view text) {
  std::u16string units;
  while (!text.empty()) {
    const char32_t code = next_character(text);
    if (code < 0x10000) {
      units += static_cast<char16_t>(code);
    } else {
      units += static_cast<char16_t>(0xD800 + ((code - 0x10000) >> 10));
      units += static_cast<char16_t>(0xDC00 + ((code - 0x10000) & 0x3FF));
    }
  }
  return units;
}

// The characters that count, and where lines begin among them.
struct HashedText {
  std::u16string units;
  std::vector<size_t> lines;
};

HashedText hashed_text(std::string_view text) {
  HashedText all;
  bool begins = true, after_return = false;
  for (const char16_t unit : units_of(text) + end_of_file) {
    const bool second_half = after_return && unit == u'\n'; // of one line ending
    after_return = unit == u'\r';
    if (second_half || unit == u' ' || unit == u'\t')
      continue;
    if (begins)
      all.lines.push_back(all.units.size());
    begins = unit == u'\n' || unit == u'\r';
    all.units += begins ? u'\n' : unit;
  }
  return all;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Returns the column in code points. If the text before it is not UTF-8, the column is unknown.
int code_point_column(const std::string& line, int column) {
  const size_t before = std::min(line.size(), static_cast<size_t>(column) - 1);
  const auto hidden = std::count_if(line.begin(), line.begin() + static_cast<long>(before), is_continuation);
  return column - static_cast<int>(hidden);
}

// One problem as a SARIF result.

constexpr size_t most_related = 20; // a guess: viewers list them below the message

Json with_message(Json location, const std::string& text) {
  location["message"] = {{"text", text}};
  return location;
}

Json place_of(const Problem& problem, const SarifPlaces& places) {
  const std::optional<Cause>& cause = problem.representative().cause;
  const bool at_cause = cause && cause->file == problem.file && cause->line == problem.line;
  Json location = places.expression(problem.file, problem.line, problem.column, at_cause ? cause->end_column : 0);
  const std::string& function = at_cause && !cause->function.empty() ? cause->function : problem.target().function;
  location["logicalLocations"] = Json::array({Json{{"name", function}, {"kind", "function"}}});
  return location;
}

// Returns the functions that reach the problem, and the other lines of its findings.
Json related_to(const Problem& problem, const SarifPlaces& places) {
  Json related = Json::array();
  auto add = [&](Json location, const std::string& text) {
    if (related.size() < most_related) {
      location["id"] = related.size() + 1;
      related.push_back(with_message(std::move(location), text));
    }
  };
  std::set<std::string> functions;
  for (const auto& [target, finding] : problem.findings)
    if (target->line > 0 && functions.insert(target->function).second)
      add(places.location(target->file, target->line, 0),
          fmt::format("reached from the function {}", target->function));
  std::set<std::pair<std::string, int>> lines = {{problem.file, problem.line}};
  for (const auto& [target, finding] : problem.findings)
    if (const std::optional<Cause>& cause = finding->cause;
        cause && cause->line > 0 && lines.emplace(cause->file, cause->line).second)
      add(places.expression(cause->file, cause->line, cause->column, cause->end_column),
          fmt::format("also seen here: {}", text(finding->kind)));
  return related;
}

std::string step_text(const ChainLink& step) {
  std::string text = step.text.empty() ? step.operation : step.text;
  if (!step.reference.empty())
    text += fmt::format("; exact: {}", step.reference);
  text += fmt::format("; relative error {}", measure_text(step.error));
  if (step.skipped > 0)
    text += fmt::format(" ({} before it left out)", counted(step.skipped, "operation"));
  return text;
}

Json flow_of(const TargetReport& target, const Finding& finding, const SarifPlaces& places) {
  Json locations = Json::array();
  for (const ChainLink& step : finding.diagnosis->chain) {
    const bool placed = !step.file.empty() && step.line > 0;
    Json location =
        placed ? places.location(step.file, step.line, step.column) : places.location(target.file, target.line, 0);
    // The depth of a call is not recorded: it is either the target's own code, or a callee.
    const bool own = step.function.empty() || target.function.starts_with(step.function);
    locations.push_back(Json{{"location", with_message(std::move(location), step_text(step))},
                             {"nestingLevel", own ? 0 : 1},
                             {"executionOrder", locations.size() + 1},
                             {"importance", is_at(step, finding.cause) ? "essential" : "important"},
                             {"state", {{"relative error", {{"text", measure_text(step.error)}}}}}});
  }
  Json thread{{"locations", std::move(locations)}};
  return {{"message", {{"text", "the path of the error to the output"}}}, {"threadFlows", Json::array({thread})}};
}

Json properties_of(const Problem& problem) {
  const Finding& finding = problem.representative();
  Json properties{{"id", problem.id},
                  {"tier", text(problem.tier)},
                  {"kind", text(finding.kind)},
                  {"verdict", text(finding.verdict)},
                  {"everyday", finding.everyday},
                  {"oracle", finding.oracle},
                  {"functions", problem.functions},
                  {"input", input_lines(finding.input)}};
  for (const Evidence& evidence : problem.findings)
    properties["findings"].push_back(evidence.finding->id);
  if (finding.error) {
    properties["relativeError"] = model::measure(finding.error->relative);
    properties["ulps"] = model::measure(finding.error->ulps);
  }
  if (!finding.built.empty())
    properties["built"] = finding.built;
  if (!finding.replay.empty())
    properties["replay"] = finding.replay;
  return properties;
}

// A problem is suppressed if all its findings are.
Json suppressions_of(const Problem& problem, const SarifPlaces& places) {
  Json list = Json::array(); // an empty list means: not suppressed
  std::set<std::pair<std::string, int>> seen;
  for (const Evidence& evidence : problem.findings)
    if (const auto& by = evidence.finding->suppressed;
        by && problem.set_aside && seen.emplace(by->file, by->line).second)
      list.push_back(Json{
          {"kind", "inSource"}, {"justification", by->reason}, {"location", places.location(by->file, by->line, 0)}});
  return list;
}

// A problem is new if one of its findings is. Empty without a baseline.
std::string_view baseline_state(const Problem& problem) {
  const auto any = [&](Novelty novelty) {
    return std::ranges::any_of(problem.findings, [&](const Evidence& e) { return e.finding->novelty == novelty; });
  };
  return any(Novelty::fresh) ? "new" : any(Novelty::known) ? "unchanged" : "";
}

Json fingerprints_of(const Problem& problem, const SarifPlaces& places) {
  Json fingerprints = Json::object();
  if (const std::string& own = problem.representative().fingerprint; !own.empty())
    fingerprints["faultline/v1"] = own;
  if (const std::string hash = places.line_hash(problem.file, problem.line); !hash.empty())
    fingerprints["primaryLocationLineHash"] = hash;
  return fingerprints;
}

uint64_t occurrences(const Problem& problem) {
  uint64_t count = 0;
  for (const Evidence& evidence : problem.findings)
    count += 1 + evidence.finding->merged;
  return count;
}

// `index` is the position of its rule in the run.
Json sarif_result(const Problem& problem, size_t index, const SarifPlaces& places) {
  const Finding& finding = problem.representative();
  Json result{{"ruleId", problem.fault},
              {"ruleIndex", index},
              {"level", text(problem.tier)},
              {"message", {{"text", problem_message(problem)}}},
              {"locations", Json::array({place_of(problem, places)})}};
  if (Json related = related_to(problem, places); !related.empty())
    result["relatedLocations"] = std::move(related);
  if (finding.diagnosis && !finding.diagnosis->chain.empty())
    result["codeFlows"] = Json::array({flow_of(problem.target(), finding, places)});
  if (Json fingerprints = fingerprints_of(problem, places); !fingerprints.empty())
    result["partialFingerprints"] = std::move(fingerprints);
  result["occurrenceCount"] = occurrences(problem);
  result["suppressions"] = suppressions_of(problem, places);
  if (const std::string_view state = baseline_state(problem); !state.empty())
    result["baselineState"] = state;
  result["properties"] = properties_of(problem);
  return result;
}

// intermediate-overflow: IntermediateOverflow
std::string pascal_case(std::string_view rule) {
  std::string name;
  bool begins = true;
  for (const char c : rule) {
    if (c != '-')
      name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = c == '-';
  }
  return name;
}

std::string_view severity(std::string_view level) { return level == "note" ? "recommendation" : level; }

bool is_unfinished(const TargetReport& target) {
  return target.outcome != TargetOutcome::found && !target.is_silent() && target.counted() == 0;
}

Json notification(const char* id, std::string_view level, const std::string& text) {
  return {{"descriptor", {{"id", id}}}, {"level", level}, {"message", {{"text", text}}}};
}

Json notifications_of(const Report& report, const SarifPlaces& places) {
  Json list = Json::array();
  for (const TargetReport& target : report.targets) {
    if (!is_unfinished(target))
      continue;
    Json entry = notification(
        "inconclusive", "warning",
        fmt::format("{}: {}{}{}", target.function, text(target.outcome), target.note.empty() ? "" : ": ", target.note));
    entry["locations"] = Json::array({places.location(target.file, target.line, 0)});
    list.push_back(std::move(entry));
  }
  for (const std::string& remark : report.remarks)
    list.push_back(notification("suppression", "note", remark));
  return list;
}

const char* meaning_of(int status) { return status == 0 ? "nothing found" : status == 1 ? "problems" : "inconclusive"; }

Json invocation_of(const RankedReport& ranked, const SarifPlaces& places) {
  const Report& report = ranked.report;
  const int status = model::exit_status(ranked);
  const bool interrupted =
      std::ranges::find(report.targets, TargetOutcome::interrupted, &TargetReport::outcome) != report.targets.end();
  return {{"arguments", report.command},
          {"executionSuccessful", !interrupted},
          {"exitCode", status},
          {"exitCodeDescription", meaning_of(status)},
          {"workingDirectory", {{"uri", places.root_uri()}}},
          {"toolExecutionNotifications", notifications_of(report, places)}};
}

Json notification_descriptors() {
  const auto descriptor = [](const char* id, const char* text) {
    return Json{{"id", id}, {"shortDescription", {{"text", text}}}};
  };
  return Json::array({descriptor("inconclusive", "It is unknown whether the function has problems."),
                      descriptor("suppression", "A comment that suppresses findings needs review.")});
}

} // namespace

std::vector<std::string> line_hashes(std::string_view text) {
  const HashedText all = hashed_text(text);
  std::vector<std::string> hashes;
  std::map<uint64_t, size_t> seen;
  for (const size_t begin : all.lines) {
    uint64_t hash = 0;
    for (size_t i = begin; i < begin + window; ++i)
      hash = hash * base + (i < all.units.size() ? all.units[i] : 0);
    hashes.push_back(fmt::format("{:x}:{}", hash, ++seen[hash]));
  }
  return hashes;
}

std::string encoded_path(std::string_view path) {
  constexpr std::string_view kept = "-._~/!$&'()*+,;=@"; // with a colon, the text before it would be a scheme
  std::string text;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    text +=
        plain || kept.find(c) != kept.npos ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

std::string SarifPlaces::root_uri() const {
  return "file://" + encoded_path(root_) + (root_.ends_with('/') ? "" : "/");
}

Json SarifPlaces::artifact(const std::string& file) const {
  namespace fs = std::filesystem;
  const fs::path whole = (fs::path(root_) / file).lexically_normal(); // an absolute path stays unchanged
  const std::string below = whole.lexically_relative(fs::path(root_).lexically_normal()).string();
  if (below.empty() || below == ".." || below.starts_with("../"))
    return {{"uri", "file://" + encoded_path(whole.string())}};
  return {{"uri", encoded_path(below)}, {"uriBaseId", "%SRCROOT%"}};
}

Json SarifPlaces::location(const std::string& file, int line, int column, int end) const {
  Json physical{{"artifactLocation", artifact(file)}};
  if (line > 0) {
    const std::optional<std::string> text = source_ ? source_(file, line) : std::nullopt;
    Json& region = physical["region"] = {{"startLine", line}};
    if (column > 0)
      region["startColumn"] = text ? code_point_column(*text, column) : column;
    if (column > 0 && end > column)
      region["endColumn"] = text ? code_point_column(*text, end) : end;
    if (text)
      region["snippet"] = {{"text", *text}};
  }
  return {{"physicalLocation", physical}};
}

Json SarifPlaces::expression(const std::string& file, int line, int column, int end) const {
  const std::optional<std::string> text = source_ && line > 0 ? source_(file, line) : std::nullopt;
  const std::optional<Expression> whole = text && column > 0 ? model::expression_in(file, *text, column) : std::nullopt;
  return whole ? location(file, line, whole->first, whole->end) : location(file, line, column, end);
}

std::string SarifPlaces::line_hash(const std::string& file, int line) const {
  auto known = hashes_.find(file);
  if (known == hashes_.end()) {
    const std::optional<std::string> text = whole_ ? whole_(file) : std::nullopt;
    known = hashes_.emplace(file, text ? line_hashes(*text) : std::vector<std::string>()).first;
  }
  const std::vector<std::string>& hashes = known->second;
  return line > 0 && size_t(line) <= hashes.size() ? hashes[size_t(line) - 1] : "";
}

Json sarif_rule(std::string_view rule) {
  const std::string& page = kind_page(rule);
  const PageSummary summary = summary_of(page);
  // A class of faults is a kind of inaccuracy.
  const std::string_view level = info(model::kind_of(rule).value_or(Kind::inaccuracy)).level;
  return {{"id", rule},
          {"name", pascal_case(rule)},
          {"shortDescription", {{"text", summary.sentence}}},
          {"fullDescription", {{"text", summary.paragraph}}},
          {"helpUri", fmt::format("{}/kinds/{}.md", homepage(), rule)},
          {"help", {{"text", page}, {"markdown", page}}},
          {"defaultConfiguration", {{"level", level}}},
          // very-high: every problem was confirmed by running the code.
          {"properties",
           {{"tags", {"numerical", "floating-point", "correctness"}},
            {"precision", "very-high"},
            {"problem.severity", severity(level)}}}};
}

std::string homepage() { return FAULTLINE_HOMEPAGE; }

std::string sarif_text(const RankedReport& ranked, const SourceLine& source, const SourceFile& whole,
                       const std::string& root) {
  const Report& report = ranked.report;
  const SarifPlaces places(source, whole, root);
  std::map<std::string, size_t> index;
  Json rules = Json::array(), results = Json::array();
  for (const Problem& problem : ranked.problems) {
    const auto [entry, fresh] = index.emplace(problem.fault, rules.size());
    if (fresh)
      rules.push_back(sarif_rule(problem.fault));
    results.push_back(sarif_result(problem, entry->second, places));
  }
  const Json driver{
      {"name", "Faultline"},          {"version", report.version}, {"semanticVersion", report.version},
      {"informationUri", homepage()}, {"rules", std::move(rules)}, {"notifications", notification_descriptors()}};
  const Json run{{"tool", {{"driver", driver}}},
                 {"invocations", Json::array({invocation_of(ranked, places)})},
                 {"originalUriBaseIds", {{"%SRCROOT%", {{"uri", places.root_uri()}}}}},
                 {"columnKind", "unicodeCodePoints"},
                 {"results", std::move(results)},
                 {"properties", {{"seed", report.seed}}}};
  const Json log{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return model::json_text(log, 2) + "\n";
}

} // namespace faultline::report
