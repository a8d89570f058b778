#include "campaign/remote/share_line.h"

#include "campaign/remote/share_folder.h"
#include "campaign/store/job_table.h"
#include "finding/json/finding_json.h"
#include "finding/json/json_place.h"

namespace faultline::campaign {

using finding::Json;
using finding::Place;

namespace {

constexpr int results_schema = 1;

Json json_of(const ResultsHead& head) {
  return {{"results", results_schema}, {"run", head.run}, {"job", head.job}, {"task", head.task}};
}
Json json_of(const RoundLine& line) {
  Json again = Json::array();
  for (const finding::Finding& finding : line.again)
    again.push_back(to_json(finding));
  return {{"round", line.round},
          {"function", line.function},
          {"symbol", line.symbol},
          {"version", to_json(line.version)},
          {"arm", line.arm},
          {"seed", line.seed},
          {"known", line.known},
          {"evaluations", line.evaluations},
          {"reached", line.reached},
          {"again", std::move(again)},
          {"found", to_json(line.found)}};
}
Json json_of(const AliveLine& line) { return {{"alive", line.seconds}}; }
Json json_of(const FailedLine& line) { return {{"failed", line.why}}; }
Json json_of(const EndLine& line) { return {{"end", text(line.ending)}}; }

ResultsHead head_at(const Place& place) {
  if (const int schema = place["results"].whole<int>(); schema != results_schema)
    place["results"].refuse(fmt::format("is {}; this version of Faultline reads {}", schema, results_schema));
  ResultsHead head{place["run"].whole<int64_t>(), place["job"].whole<uint64_t>(), place["task"].string()};
  if (!is_task_name(head.task))
    place["task"].refuse("is no name of a task");
  return head;
}

RoundLine round_at(const Place& place) {
  RoundLine line;
  line.round = place["round"].integer();
  if (line.round < diagnosis_round)
    place["round"].refuse("is no number of a round");
  line.function = place["function"].string();
  line.symbol = place["symbol"].string();
  line.version = version_at(place["version"]);
  line.arm = place["arm"].string();
  line.seed = place["seed"].whole<uint64_t>();
  line.known = place["known"].string();
  line.evaluations = place["evaluations"].whole<uint32_t>();
  line.reached = place["reached"].whole<uint32_t>();
  for (const Place& finding : place["again"].elements())
    line.again.push_back(finding::finding_at(finding));
  line.found = finding::target_at(place["found"]);
  return line;
}

EndLine end_at(const Place& place) {
  const std::optional<RunEnding> ending = run_ending_of(place["end"].string());
  if (!ending || *ending == RunEnding::lost)
    place["end"].refuse("is no ending");
  return {*ending};
}

ShareLine line_at(const Place& place) {
  if (place.find("round"))
    return round_at(place);
  if (place.find("alive"))
    return AliveLine{place["alive"].measure()};
  if (place.find("results"))
    return head_at(place);
  if (place.find("failed"))
    return FailedLine{place["failed"].string()};
  if (place.find("end"))
    return end_at(place);
  place.refuse("is no line of results");
}

} // namespace

Json to_json(const Version& version) {
  return {{"code", version.code}, {"places", version.places}, {"settings", version.settings}};
}

Version version_at(const Place& place) {
  return {place["code"].string(), place["places"].string(), place["settings"].string()};
}

std::string line_text(const ShareLine& line) {
  return finding::json_text(std::visit([](const auto& what) { return json_of(what); }, line));
}

ShareLine parse_line(std::string_view text, const std::string& name) { return finding::read_json(text, name, line_at); }

} // namespace faultline::campaign
