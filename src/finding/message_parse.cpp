// The reading half of message.h. Everything is checked: the code under test could have written to the channel.
#include "finding/bound/bounds_json.h"
#include "finding/bound/map_json.h"
#include "finding/certificate/certificate_json.h"
#include "finding/json/extents_json.h"
#include "finding/json/finding_json.h"
#include "finding/json/input_json.h"
#include "finding/json/plot_json.h"
#include "finding/message.h"
#include "finding/names.h"
#include "finding/vectors/vectors_json.h"
#include "frontend/error.h"
#include "numeric/decimal.h"

#include <algorithm>

namespace faultline::finding {
namespace {

HuntDone done_at(const Place& place) {
  HuntDone done;
  done.sites = place["sites"].whole<uint64_t>();
  done.evaluations = place["evaluations"].whole<uint64_t>();
  done.seconds = place["seconds"].measure();
  done.total_seconds = place["total_seconds"].measure();
  done.unknown = place["unknown"].whole<uint64_t>();
  done.out_of_time = place["out_of_time"].truth();
  done.cut = place["cut"].truth();
  done.stopped = place["stopped"].truth();
  done.folded = place["folded"].whole<uint64_t>();
  done.note = place["note"].string();
  if (const auto largest = place.find("largest_everyday"))
    done.largest_everyday = largest_at(*largest);
  if (const auto largest = place.find("largest"))
    done.largest = largest_at(*largest);
  return done;
}

// It may become the exit status of the program, and no failure is a success.
Failure failure_at(const Place& place) {
  const auto status = place["status"].whole<int>();
  if (status != frontend::status_usage && status != frontend::status_unsuitable &&
      status != frontend::status_inconclusive && status != frontend::status_internal)
    place["status"].refuse("is not the status of a failure");
  return {status, place["what"].string(), place["hint"].string()};
}

WorkerDeath death_at(const Place& place) {
  return {place["hung"].truth(),
          place["signal"].whole<int>(),
          place["status"].whole<int>(),
          place["in_call"].truth(),
          place["in_reference"].truth(),
          values_at(place["input"]),
          place["in_constructors"].truth(),
          place["out_of_time"].truth()};
}

OperationRow row_at(const Place& place) {
  OperationRow row;
  row.file = place["file"].string();
  row.line = place["line"].whole<int>();
  row.column = place["column"].whole<int>();
  row.function = place["function"].string();
  row.operation = place["operation"].string();
  row.text = place["text"].string();
  row.operands = words_at(place["operands"]);
  for (const Place& condition : place["conditions"].elements())
    row.conditions.push_back(condition.measure());
  row.result = place["result"].string();
  row.reference = place["reference"].string();
  row.relative_error = place["error"].measure();
  row.share = place["share"].measure();
  return row;
}

Number number_at(const Place& place) {
  const std::vector<std::string> parts = words_at(place);
  // They stand in the text of programs.
  if (parts.size() != 2 ||
      !std::ranges::all_of(parts, [](const std::string& text) { return numeric::parse_long_double(text).has_value(); }))
    place.refuse("is not a number in decimal and in hex");
  return {parts[0], parts[1]};
}

Expectation expectation_at(const Place& place) {
  return {place["output"].whole<size_t>(), number_at(place["reference"]), number_at(place["computed"]),
          place["ulps"].measure(),         place["bound"].measure(),      place["unavoidable"].measure()};
}

BranchMessage branch_at(const Place& place) {
  BranchMessage message{place["site"].whole<uint32_t>(), place["outcome"].integer(), values_at(place["input"]), {}};
  message.branch = {place["file"].string(),
                    place["function"].string(),
                    place["line"].whole<int>(),
                    place["column"].whole<int>(),
                    place["operation"].string(),
                    place["condition"].string(),
                    place["text"].string(),
                    place["standing"].id(standing_of, "the standing of a branch"),
                    place["solver"].string(),
                    place["why"].string(),
                    {}};
  return message;
}

ExplorationDone explored_at(const Place& place) {
  return {place["paths"].whole<uint64_t>(),
          place["complete"].truth(),
          place["bounded"].whole<uint64_t>(),
          place["questions"].whole<uint64_t>(),
          place["unanswered"].whole<uint64_t>(),
          place["evaluations"].whole<uint64_t>(),
          place["seconds"].measure()};
}

RunMessage run_at(const Place& place) {
  RunMessage message{place["input"].whole<uint64_t>(), place["ending"].string(), place["returned"].truth(), {}, {},
                     place["missing"].truth()};
  message.decisions = decisions_at(place["decisions"]);
  message.outputs = values_at(place["outputs"]);
  return message;
}

PathMessage path_at(const Place& place) {
  PathMessage message{place["path"].whole<uint64_t>(), place["inputs"].whole<uint32_t>(), {}, {}};
  if (const auto code = place.find("code"))
    message.code = certified_path_at(*code, message.inputs);
  else
    message.obstacle = place["obstacle"].string();
  return message;
}

ReplayResult replayed_at(const Place& place) {
  ReplayResult result{place["reproduced"].truth(), place["what"].string()};
  for (const Place& violation : place["violations"].elements())
    result.violations.push_back(
        {violation["what"].string(), violation["expected"].string(), violation["found"].string()});
  return result;
}

Message message_at(const Place& place) {
  const auto members = place.members();
  if (members.empty())
    place.refuse("is an empty object");
  const std::string& key = members.front().first;
  const Place value = place[key];
  if (const std::optional<FindingRole> role = finding_role_of(key))
    return FindingMessage{*role, finding_at(value)};
  if (const std::optional<SentenceRole> role = sentence_role_of(key))
    return Sentence{*role, value.string()};
  if (key == "progress")
    return SearchProgress{value.whole<uint64_t>(), place["reached"].whole<uint64_t>(), place["sites"].whole<uint64_t>(),
                          place["phase"].string()};
  if (key == "done")
    return done_at(value);
  if (key == "error")
    return failure_at(value);
  if (key == "death")
    return death_at(value);
  if (key == "end")
    return JobEnd{value.truth()};
  if (key == "row")
    return RowMessage{row_at(value)};
  if (key == "rows")
    return RowsDone{value.whole<uint64_t>(), place["sites"].whole<uint64_t>(), place["too_long"].truth()};
  if (key == "reproduced")
    return replayed_at(place);
  if (key == "plots")
    return PlotsMessage{plots_at(value)};
  if (key == "expected")
    return Examined{expectation_at(value), ""};
  if (key == "left_out")
    return Examined{std::nullopt, value.string()};
  if (key == "branch")
    return branch_at(value);
  if (key == "explored")
    return explored_at(value);
  if (key == "run")
    return run_at(value);
  if (key == "bounds")
    return BoundsMessage{bounds_at(value)};
  if (key == "proof")
    return ProofMessage{proof_at(value)};
  if (key == "certificate")
    return CertificateMessage{certificate_at(value)};
  if (key == "path")
    return path_at(place);
  if (key == "extents")
    return ExtentsMessage{found_extents_at(value)};
  if (key == "larger_helps")
    return OverrunJudged{value.truth(), extents_at(place["needed"])};
  if (key == "candidate")
    return candidate_at(value);
  if (key == "candidates")
    return CandidatesDone{value.whole<uint64_t>(), place["cut"].truth()};
  if (key == "measured")
    return measured_at(place);
  place.refuse(fmt::format("'{}' is no message", key.substr(0, 40)));
}

} // namespace

Message parse_message(std::string_view text) { return read_json(text, "a worker's message", message_at); }

} // namespace faultline::finding
