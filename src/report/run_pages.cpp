#include "report/run_pages.h"

#include "model/report.h"
#include "report/html.h"
#include "report/run_problems.h"
#include "report/run_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace faultline::report {

using model::Json;
using model::RunReport;
using model::RunSite;

namespace {

constexpr const char* run_scripts[] = {"element.js", "theme.js", "run_page.js"};
constexpr const char* run_styles[] = {"colours.css", "report.css", "finding.css", "plot.css", "bound.css", "run.css"};

// What the sites of a line did.
struct LineEvents {
  uint64_t executions = 0, losses = 0, flips = 0, nans = 0, nan_ends = 0, infinities = 0;
  double loss = 0;
};

std::map<std::string, std::map<int, LineEvents>> events_by_line(const RunReport& report) {
  std::map<std::string, std::map<int, LineEvents>> files;
  for (const RunSite& site : report.sites) {
    if (site.place.line == 0)
      continue;
    LineEvents& line = files[site.place.file][site.place.line];
    if (site.losses > 0)
      line.executions = std::max(line.executions, site.executions);
    line.losses += site.losses;
    line.flips += site.flips;
    line.nans += site.nans;
    line.nan_ends += site.nan_ends;
    line.infinities += site.infinities;
    line.loss = std::max(line.loss, site.loss);
  }
  return files;
}

// Lines with events and what is around them; files without a readable source are left out.
Json source_json(const RunReport& report, const SourceLine& source) {
  constexpr int around = 8; // lines
  Json files = Json::array();
  for (const auto& [file, lines] : events_by_line(report)) {
    std::map<int, const LineEvents*> shown;
    for (const auto& [number, events] : lines)
      for (int near = std::max(1, number - around); near <= number + around; ++near)
        shown.try_emplace(near, nullptr);
    for (const auto& [number, events] : lines)
      shown[number] = &events;
    Json listed = Json::array();
    for (const auto& [number, events] : shown) {
      const std::optional<std::string> text = source(file, number);
      if (!text)
        continue;
      Json line = {{"number", number}, {"text", *text}};
      if (events)
        line.update({{"executions", events->executions},
                     {"losses", events->losses},
                     {"loss", events->loss},
                     {"flips", events->flips},
                     {"nans", events->nans},
                     {"nan_ends", events->nan_ends},
                     {"infinities", events->infinities}});
      listed.push_back(line);
    }
    if (!listed.empty())
      files.push_back({{"file", file}, {"lines", listed}});
  }
  return files;
}

// The classes of runs that are no kinds of findings have their description here.
const char* sentence_of(RunClass kind) {
  switch (kind) {
  case RunClass::uninitialised:
    return "A value is computed with that was never written.";
  case RunClass::invalid:
    return "A NaN is born.";
  case RunClass::inaccuracy:
    return "A printed number has few right digits.";
  case RunClass::precision:
    return "A value of single precision is used among doubles.";
  case RunClass::tolerance:
    return "A loop ends before its result has its digits, or by a tolerance that cannot be reached.";
  case RunClass::branch_flip:
    return "Rounding turns a decision.";
  case RunClass::overflow:
    break;
  }
  return "An infinity is born.";
}

Json rule_of(RunClass kind) {
  return {{"id", text(kind)},
          {"shortDescription", {{"text", sentence_of(kind)}}},
          {"helpUri", homepage() + "/whole-programs.md"},
          {"properties", {{"tags", {"numerical", "floating-point", "correctness"}}}}};
}

Json result_of(const RunProblem& problem, size_t rule, const SarifPlaces& places) {
  Json result = {{"ruleId", text(problem.kind)},
                 {"ruleIndex", rule},
                 {"level", text(problem.tier)},
                 {"message", {{"text", fmt::format("{}: {}", problem.title, fmt::join(problem.seen, "; "))}}},
                 {"properties", {{"confirmed", problem.confirmed}}}};
  if (problem.place.line > 0)
    result["locations"] =
        Json::array({places.location(problem.place.file, problem.place.line, problem.place.column)});
  if (const std::string hash = places.line_hash(problem.place.file, problem.place.line); !hash.empty())
    result["partialFingerprints"] = {{"primaryLocationLineHash", hash}};
  return result;
}

} // namespace

std::string run_page(const RunReport& report, const SourceLine& source) {
  Json data = run_json_of(report, source);
  data.erase("sites");
  data["source"] = source_json(report, source);
  return page_of("run.html", run_styles, run_scripts, model::json_text(data));
}

std::string run_sarif(const RunReport& report, const SourceLine& source, const SourceFile& whole,
                      const std::string& root) {
  const SarifPlaces places(source, whole, root);
  std::map<RunClass, size_t> index;
  Json rules = Json::array(), results = Json::array();
  for (const RunProblem& problem : problems_of(report, source)) {
    const auto [entry, is_new] = index.emplace(problem.kind, rules.size());
    if (is_new)
      rules.push_back(rule_of(problem.kind));
    results.push_back(result_of(problem, entry->second, places));
  }
  const Json driver = {{"name", "Faultline"},
                       {"version", model::version},
                       {"semanticVersion", model::version},
                       {"informationUri", homepage()},
                       {"rules", std::move(rules)}};
  Json invocation = {{"arguments", report.command},
                     {"executionSuccessful", report.signal == 0},
                     {"exitCode", report.status},
                     {"workingDirectory", {{"uri", places.root_uri()}}}};
  if (report.signal != 0)
    invocation["exitSignalNumber"] = report.signal;
  const Json run = {{"tool", {{"driver", driver}}},
                    {"invocations", Json::array({invocation})},
                    {"originalUriBaseIds", {{"%SRCROOT%", {{"uri", places.root_uri()}}}}},
                    {"columnKind", "unicodeCodePoints"},
                    {"results", std::move(results)}};
  const Json log = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return model::json_text(log, 2) + "\n";
}

} // namespace faultline::report
