#include "report/sarif/sarif_result.h"

#include "finding/json/diagnosis_json.h"
#include "report/finding_message.h"
#include "report/sarif/sarif_rules.h"
#include "report/wording.h"

#include <fmt/format.h>

namespace faultline::report {

using finding::Cause;
using finding::ChainLink;
using finding::Finding;
using finding::Novelty;
using finding::TargetReport;
using Json = nlohmann::ordered_json;

namespace {

Json with_message(Json location, const std::string& text) {
  location["message"] = {{"text", text}};
  return location;
}

Json place_of(const TargetReport& target, const Finding& finding, const SarifPlaces& places) {
  const std::optional<Cause>& cause = finding.cause;
  const bool placed = cause && !cause->file.empty() && cause->line > 0;
  Json location =
      placed ? places.location(cause->file, cause->line, cause->column) : places.location(target.file, target.line, 0);
  const std::string& function = placed && !cause->function.empty() ? cause->function : target.function;
  location["logicalLocations"] = Json::array({Json{{"name", function}, {"kind", "function"}}});
  return location;
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

Json properties_of(const Finding& finding) {
  Json properties{{"id", finding.id},
                  {"kind", text(finding.kind)},
                  {"verdict", text(finding.verdict)},
                  {"oracle", finding.oracle},
                  {"input", input_lines(finding.input)}};
  if (finding.error) {
    properties["relativeError"] = finding::measure(finding.error->relative);
    properties["ulps"] = finding::measure(finding.error->ulps);
  }
  if (!finding.replay.empty())
    properties["replay"] = finding.replay;
  return properties;
}

Json suppressions_of(const Finding& finding, const SarifPlaces& places) {
  Json list = Json::array(); // empty: known not to be suppressed
  if (const auto& by = finding.suppressed)
    list.push_back(Json{
        {"kind", "inSource"}, {"justification", by->reason}, {"location", places.location(by->file, by->line, 0)}});
  return list;
}

} // namespace

Json sarif_result(const TargetReport& target, const Finding& finding, size_t index, const SarifPlaces& places) {
  Json result{{"ruleId", finding::rule(finding)},
              {"ruleIndex", index},
              {"level", sarif_level(finding)},
              {"message", {{"text", finding_message(target, finding)}}},
              {"locations", Json::array({place_of(target, finding, places)})}};
  if (target.line > 0) {
    Json function = with_message(places.location(target.file, target.line, 0),
                                 fmt::format("the function {}, which was hunted in", target.function));
    function["id"] = 1;
    result["relatedLocations"] = Json::array({std::move(function)});
  }
  if (finding.diagnosis && !finding.diagnosis->chain.empty())
    result["codeFlows"] = Json::array({flow_of(target, finding, places)});
  if (!finding.fingerprint.empty())
    result["partialFingerprints"] = {{"faultline/v1", finding.fingerprint}};
  result["occurrenceCount"] = 1 + finding.merged;
  result["suppressions"] = suppressions_of(finding, places);
  if (finding.novelty != Novelty::untold)
    result["baselineState"] = finding.novelty == Novelty::known ? "unchanged" : "new";
  result["properties"] = properties_of(finding);
  return result;
}

} // namespace faultline::report
