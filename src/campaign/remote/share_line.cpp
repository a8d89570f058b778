#include "campaign/remote/share_line.h"

#include "campaign/remote/share_folder.h"
#include "campaign/store/job_table.h"
#include "finding/json/finding_json.h"

namespace faultline::finding {
namespace {

constexpr int results_schema = 1;

} // namespace

template <>
void Value::carry(campaign::RunEnding& ending) const {
  choose(ending, campaign::run_ending_of, "an ending");
}

template <>
void Fields::list(campaign::Version& version) {
  required("code", version.code);
  required("places", version.places);
  required("settings", version.settings);
}

template <>
void Fields::list(campaign::ResultsHead& head) {
  schema("results", results_schema);
  required("run", head.run);
  check(head.run >= 0, "run", "is not a whole number from 0");
  required("job", head.job);
  required("task", head.task);
  check(campaign::is_task_name(head.task), "task", "is no name of a task");
}

template <>
void Fields::list(campaign::RoundLine& line) {
  required("round", line.round);
  check(line.round >= campaign::diagnosis_round, "round", "is no number of a round");
  required("function", line.function);
  required("symbol", line.symbol);
  required("version", line.version);
  required("arm", line.arm);
  required("seed", line.seed);
  required("known", line.known);
  required("evaluations", line.evaluations);
  check(line.evaluations <= UINT32_MAX, "evaluations", "is too large");
  required("reached", line.reached);
  check(line.reached <= UINT32_MAX, "reached", "is too large");
  required("again", line.again);
  required("found", line.found);
}

template <>
void Fields::list(campaign::AliveLine& line) {
  required("alive", line.seconds);
}
template <>
void Fields::list(campaign::FailedLine& line) {
  required("failed", line.why);
}

template <>
void Fields::list(campaign::EndLine& line) {
  required("end", line.ending);
  check(line.ending != campaign::RunEnding::lost, "end", "is no ending");
}

} // namespace faultline::finding

namespace faultline::campaign {
namespace {

using finding::from_json;

ShareLine line_at(const finding::Place& place) {
  if (place.find("round"))
    return from_json<RoundLine>(place);
  if (place.find("alive"))
    return from_json<AliveLine>(place);
  if (place.find("results"))
    return from_json<ResultsHead>(place);
  if (place.find("failed"))
    return from_json<FailedLine>(place);
  if (place.find("end"))
    return from_json<EndLine>(place);
  place.refuse("is no line of results");
}

} // namespace

std::string line_text(const ShareLine& line) {
  return finding::json_text(std::visit([](const auto& what) { return finding::to_json(what); }, line));
}

ShareLine parse_line(std::string_view text, const std::string& name) { return finding::read_json(text, name, line_at); }

} // namespace faultline::campaign
