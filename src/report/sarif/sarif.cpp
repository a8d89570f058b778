#include "report/sarif/sarif.h"

#include "finding/json/finding_json.h"
#include "finding/json/json.h"
#include "finding/problem.h"
#include "report/sarif/sarif_place.h"
#include "report/sarif/sarif_result.h"
#include "report/sarif/sarif_rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace faultline::report {

using finding::Problem;
using finding::Report;
using finding::TargetOutcome;
using finding::TargetReport;
using Json = finding::Json;

namespace {

bool is_open(const TargetReport& target) {
  return target.outcome != TargetOutcome::found && !target.is_silent() && target.counted() == 0;
}

Json notification(const char* id, std::string_view level, const std::string& text) {
  return {{"descriptor", {{"id", id}}}, {"level", level}, {"message", {{"text", text}}}};
}

Json notifications_of(const Report& report, const SarifPlaces& places) {
  Json list = Json::array();
  for (const TargetReport& target : report.targets) {
    if (!is_open(target))
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

Json invocation_of(const finding::RankedReport& ranked, const SarifPlaces& places) {
  const Report& report = ranked.report;
  const int status = finding::exit_status(ranked);
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
  return Json::array({descriptor("inconclusive", "Whether the function has problems is not known."),
                      descriptor("suppression", "A comment that suppresses findings needs a look.")});
}

} // namespace

std::string sarif_text(const finding::RankedReport& ranked, const SourceLine& source, const SourceFile& whole,
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
  return finding::json_text(log, 2) + "\n";
}

} // namespace faultline::report
