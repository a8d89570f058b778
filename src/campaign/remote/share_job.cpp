#include "campaign/remote/share_job.h"

#include "campaign/remote/share_line.h"
#include "finding/json/extents_json.h"
#include "finding/json/finding_json.h"
#include "finding/json/input_json.h"
#include "finding/json/json_place.h"
#include "finding/settings/table.h"

#include <algorithm>
#include <cmath>

namespace faultline::campaign {

using finding::Json;
using finding::Place;

namespace {

constexpr int share_schema = 1;

Json to_json(const finding::Retry& retry) {
  return {{"input", finding::values_to_json(retry.input)}, {"strategy", retry.strategy}, {"found_by", retry.found_by}};
}

finding::Retry retry_at(const Place& place) {
  return {finding::values_at(place["input"]), place["strategy"].string(), place["found_by"].string()};
}

Json to_json(const SharedFunction& function) {
  const TargetRow& row = function.row;
  Json past = Json::array(), findings = Json::array(), inputs = Json::array();
  for (const PastRound& round : function.past)
    past.push_back({{"arm", round.arm}, {"news", round.news}});
  for (const finding::Finding& finding : function.findings)
    findings.push_back(finding::to_json(finding));
  for (const finding::Retry& retry : function.first_inputs)
    inputs.push_back(to_json(retry));
  return {{"function", row.function},
          {"symbol", row.symbol},
          {"version", to_json(row.version)},
          {"settings", finding::words_of(finding::said_by(function.settings))},
          {"state", text(row.state)},
          {"measured",
           {{"extents", finding::to_json(function.measured.extents)},
            {"note", function.measured.note},
            {"cut", function.measured.cut}}},
          {"rounds", row.rounds},
          {"granted", row.granted},
          {"seconds", row.seconds},
          {"news", row.news},
          {"news_seconds", row.news_seconds},
          {"quiet", row.quiet},
          {"reached", row.reached},
          {"everyday_error", row.everyday_error},
          {"past", std::move(past)},
          {"findings", std::move(findings)},
          {"first_inputs", std::move(inputs)}};
}

double amount_at(const Place& place) {
  const double amount = place.measure();
  if (!std::isfinite(amount) || amount < 0)
    place.refuse("is not a finite number from 0");
  return amount;
}

uint64_t count_at(const Place& place) { // that sums of are numbers, too
  const auto count = place.whole<uint64_t>();
  if (count > (uint64_t(1) << 60))
    place.refuse("is too large");
  return count;
}

SharedFunction function_at(const Place& place) {
  SharedFunction function;
  TargetRow& row = function.row;
  row.function = place["function"].string();
  row.symbol = place["symbol"].string();
  row.version = version_at(place["version"]);
  function.settings = finding::read_settings(finding::said_in(finding::words_at(place["settings"])));
  row.state = place["state"].id<TargetState>(target_state_of, "a state");
  const Place measured = place["measured"];
  function.measured = {finding::extents_at(measured["extents"]), measured["note"].string(), measured["cut"].truth()};
  row.rounds = count_at(place["rounds"]);
  row.granted = count_at(place["granted"]);
  row.seconds = amount_at(place["seconds"]);
  row.news = amount_at(place["news"]);
  row.news_seconds = amount_at(place["news_seconds"]);
  row.quiet = count_at(place["quiet"]);
  row.reached = count_at(place["reached"]);
  row.everyday_error = amount_at(place["everyday_error"]);
  for (const Place& round : place["past"].elements())
    function.past.push_back({round["arm"].string(), amount_at(round["news"])});
  if (function.past.size() > std::min<uint64_t>(row.rounds, most_rounds_kept))
    place["past"].refuse("has more rounds than there were, or than are looked at");
  for (const Place& finding : place["findings"].elements())
    function.findings.push_back(finding::finding_at(finding));
  for (const Place& input : place["first_inputs"].elements())
    function.first_inputs.push_back(retry_at(input));
  return function;
}

ShareJob job_at(const Place& place) {
  if (const int schema = place["share"].whole<int>(); schema != share_schema)
    place["share"].refuse(fmt::format("is {}; this version of Faultline reads {}", schema, share_schema));
  ShareJob job;
  job.run = place["run"].whole<int64_t>();
  job.job = place["job"].whole<uint64_t>();
  job.program = place["program"].string();
  if (job.program.size() != 64 || job.program.find_first_not_of("0123456789abcdef") != std::string::npos)
    place["program"].refuse("is not 64 hexadecimal digits");
  job.folder = place["folder"].string();
  job.flags = finding::words_at(place["flags"]);
  job.seed = place["seed"].whole<uint64_t>();
  if (const auto evaluations = place.find("evaluations"))
    job.evaluations = evaluations->whole<uint64_t>();
  job.seconds = amount_at(place["seconds"]);
  for (const Place& function : place["functions"].elements())
    job.functions.push_back(function_at(function));
  return job;
}

} // namespace

std::string share_job_text(const ShareJob& job) {
  Json functions = Json::array();
  for (const SharedFunction& function : job.functions)
    functions.push_back(to_json(function));
  Json json{{"share", share_schema}, {"run", job.run},     {"job", job.job},   {"program", job.program},
            {"folder", job.folder},  {"flags", job.flags}, {"seed", job.seed}, {"seconds", job.seconds}};
  if (job.evaluations)
    json["evaluations"] = *job.evaluations;
  json["functions"] = std::move(functions);
  return finding::json_text(json, 1) + "\n";
}

ShareJob parse_share_job(std::string_view text, const std::string& name) {
  return finding::read_json(text, name, job_at);
}

} // namespace faultline::campaign
