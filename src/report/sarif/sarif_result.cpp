#include "report/sarif/sarif_result.h"

#include "finding/json/json.h"
#include "report/problem_message.h"
#include "report/wording.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace faultline::report {

using finding::Cause;
using finding::ChainLink;
using finding::Evidence;
using finding::Finding;
using finding::Novelty;
using finding::Problem;
using finding::TargetReport;
using Json = finding::Json;

namespace {

constexpr size_t most_related = 20; // a guess: a viewer lists them below the message

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

// The functions that reach it, and the other lines that it shows in.
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
          fmt::format("it shows here, too: {}", text(finding->kind)));
  return related;
}

std::string step_text(const ChainLink& step) {
  std::string text = step.text.empty() ? step.operation : step.text;
  if (!step.reference.empty())
    text += fmt::format("; exact: {}", step.reference);
  text += fmt::format("; relative error {}", measure_text(step.error));
  if (step.skipped > 0)
    text += fmt::format(" ({} operation{} before it left out)", step.skipped, step.skipped == 1 ? "" : "s");
  return text;
}

Json flow_of(const TargetReport& target, const Finding& finding, const SarifPlaces& places) {
  Json locations = Json::array();
  for (const ChainLink& step : finding.diagnosis->chain) {
    const bool placed = !step.file.empty() && step.line > 0;
    Json location =
        placed ? places.location(step.file, step.line, step.column) : places.location(target.file, target.line, 0);
    // How deep a call is nested is not recorded: the target's own code, or something that it calls.
    const bool own = step.function.empty() || target.function.starts_with(step.function);
    locations.push_back(Json{{"location", with_message(std::move(location), step_text(step))},
                             {"nestingLevel", own ? 0 : 1},
                             {"executionOrder", locations.size() + 1},
                             {"importance", is_at(step, finding.cause) ? "essential" : "important"},
                             {"state", {{"relative error", {{"text", measure_text(step.error)}}}}}});
  }
  Json thread{{"locations", std::move(locations)}};
  return {{"message", {{"text", "the way of the error to the output"}}}, {"threadFlows", Json::array({thread})}};
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
    properties["relativeError"] = finding::measure(finding.error->relative);
    properties["ulps"] = finding::measure(finding.error->ulps);
  }
  if (!finding.replay.empty())
    properties["replay"] = finding.replay;
  return properties;
}

// A problem is suppressed when nothing of it is left.
Json suppressions_of(const Problem& problem, const SarifPlaces& places) {
  Json list = Json::array(); // empty: known not to be suppressed
  std::set<std::pair<std::string, int>> seen;
  for (const Evidence& evidence : problem.findings)
    if (const auto& by = evidence.finding->suppressed;
        by && problem.set_aside && seen.emplace(by->file, by->line).second)
      list.push_back(Json{
          {"kind", "inSource"}, {"justification", by->reason}, {"location", places.location(by->file, by->line, 0)}});
  return list;
}

// New as long as one of its findings is; empty without a baseline.
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

} // namespace

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

} // namespace faultline::report
