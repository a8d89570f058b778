#include "campaign/remote/share_job.h"

#include "campaign/remote/share_folder.h"
#include "model/json/finding_json.h"
#include "model/settings/table.h"

#include <algorithm>
#include <cmath>

namespace faultline::model {

namespace {

constexpr int results_schema = 1;

} // namespace

template <> void Value::carry(campaign::RunEnding& ending) const {
  choose(ending, campaign::run_ending_of, "an ending");
}

template <> void Fields::list(campaign::Version& version) {
  FAULTLINE_FIELDS(required, version, code, places, settings);
}

template <> void Fields::list(campaign::ResultsHead& head) {
  schema("results", results_schema);
  required("run", head.run);
  check(head.run >= 0, "run", "is not a whole number from 0");
  FAULTLINE_FIELDS(required, head, job, task);
  check(campaign::is_task_name(head.task), "task", "is no name of a task");
}

template <> void Fields::list(campaign::RoundLine& line) {
  required("round", line.round);
  check(line.round >= campaign::diagnosis_round, "round", "is no number of a round");
  FAULTLINE_FIELDS(required, line, function, symbol, version, arm, seed, known, evaluations);
  check(line.evaluations <= UINT32_MAX, "evaluations", "is too large");
  required("reached", line.reached);
  check(line.reached <= UINT32_MAX, "reached", "is too large");
  FAULTLINE_FIELDS(required, line, again, found);
}

template <> void Fields::list(campaign::AliveLine& line) { required("alive", line.seconds); }
template <> void Fields::list(campaign::FailedLine& line) { required("failed", line.why); }

template <> void Fields::list(campaign::EndLine& line) {
  required("end", line.ending);
  check(line.ending != campaign::RunEnding::lost, "end", "is no ending");
}

} // namespace faultline::model

namespace faultline::campaign {

namespace {

using model::from_json;

ShareLine line_at(const model::Place& place) {
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
  return model::json_text(std::visit([](const auto& what) { return model::to_json(what); }, line));
}

ShareLine parse_line(std::string_view text, const std::string& name) { return model::read_json(text, name, line_at); }

} // namespace faultline::campaign

namespace faultline::model {

namespace {

constexpr int share_schema = 1;

using campaign::PastRound;
using campaign::SharedFunction;
using campaign::ShareJob;

void require_amount(Fields& fields, const std::string& key, double& amount) {
  fields.required(key, amount);
  fields.check(std::isfinite(amount) && amount >= 0, key, "is not a finite number from 0");
}

void require_count(Fields& fields, const std::string& key, uint64_t& count) { // so that sums do not overflow
  fields.required(key, count);
  fields.check(count <= (uint64_t(1) << 60), key, "is too large");
}

} // namespace

template <> void Value::carry(campaign::TargetState& state) const {
  choose(state, campaign::target_state_of, "a state");
}

template <> void Value::carry(Settings& settings) const { // as words of a command
  std::vector<std::string> words;
  if (!reads())
    words = words_of(raw_settings_of(settings));
  carry(words);
  if (reads())
    settings = read_settings(raw_settings_in(words));
}

template <> void Fields::list(Retry& retry) { FAULTLINE_FIELDS(required, retry, input, strategy, found_by); }

template <> void Fields::list(hunt::MeasuredExtents& measured) {
  FAULTLINE_FIELDS(required, measured, extents, note, cut);
}

template <> void Fields::list(PastRound& round) {
  required("arm", round.arm);
  require_amount(*this, "news", round.news);
}

template <> void Fields::list(SharedFunction& function) {
  campaign::TargetRow& row = function.row;
  FAULTLINE_FIELDS(required, row, function, symbol, version);
  required("settings", function.settings);
  required("state", row.state);
  required("measured", function.measured);
  require_count(*this, "rounds", row.rounds);
  require_count(*this, "granted", row.granted);
  require_amount(*this, "seconds", row.seconds);
  require_amount(*this, "news", row.news);
  require_amount(*this, "news_seconds", row.news_seconds);
  require_count(*this, "quiet", row.quiet);
  require_count(*this, "reached", row.reached);
  require_amount(*this, "everyday_error", row.everyday_error);
  required("past", function.past);
  check(function.past.size() <= std::min<uint64_t>(row.rounds, campaign::most_rounds_kept), "past",
        "has more rounds than there were, or than are looked at");
  FAULTLINE_FIELDS(required, function, findings, first_inputs);
}

template <> void Fields::list(ShareJob& job) {
  schema("share", share_schema);
  required("run", job.run);
  check(job.run >= 0, "run", "is not a whole number from 0");
  FAULTLINE_FIELDS(required, job, job, program);
  check(job.program.size() == 64 && job.program.find_first_not_of("0123456789abcdef") == std::string::npos, "program",
        "is not 64 hexadecimal digits");
  FAULTLINE_FIELDS(required, job, folder, flags, seed);
  require_amount(*this, "seconds", job.seconds);
  optional("evaluations", job.evaluations);
  required("functions", job.functions);
}

} // namespace faultline::model

namespace faultline::campaign {

std::string share_job_text(const ShareJob& job) { return model::json_text(model::to_json(job), 1) + "\n"; }

ShareJob parse_share_job(std::string_view text, const std::string& name) {
  return model::read_json(text, name, model::from_json<ShareJob>);
}

} // namespace faultline::campaign
