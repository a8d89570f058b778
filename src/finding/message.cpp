#include "finding/message.h"

#include "finding/bound/bounds_json.h"
#include "finding/bound/map_json.h"
#include "finding/certificate/certificate_json.h"
#include "finding/json/diagnosis_json.h"
#include "finding/json/extents_json.h"
#include "finding/json/finding_json.h"
#include "finding/json/input_json.h"
#include "finding/json/json.h"
#include "finding/json/plot_json.h"
#include "finding/names.h"
#include "finding/vectors/vectors_json.h"

namespace faultline::finding {
namespace {

constexpr auto finding_keys = std::to_array<std::pair<FindingRole, std::string_view>>({
    {FindingRole::found, "finding"},
    {FindingRole::sighted, "sighting"},
    {FindingRole::again, "again"},
    {FindingRole::retried, "retried"},
    {FindingRole::judged, "judged"},
    {FindingRole::uncounted, "uncounted"},
});

constexpr auto sentence_keys = std::to_array<std::pair<SentenceRole, std::string_view>>({
    {SentenceRole::outcome, "outcome"},
    {SentenceRole::unknown, "unknown"},
    {SentenceRole::note, "note"},
    {SentenceRole::printed, "printed"},
});

Json json_of(const SearchProgress& m) {
  return {{"progress", m.evaluations}, {"reached", m.reached}, {"sites", m.sites}, {"phase", m.phase}};
}
Json json_of(const FindingMessage& m) { return {{std::string(name_of(finding_keys, m.role)), to_json(m.finding)}}; }
Json json_of(const HuntDone& m) {
  Json done{{"sites", m.sites},
            {"evaluations", m.evaluations},
            {"seconds", measure(m.seconds)},
            {"total_seconds", measure(m.total_seconds)},
            {"unknown", m.unknown},
            {"out_of_time", m.out_of_time},
            {"cut", m.cut},
            {"stopped", m.stopped},
            {"folded", m.folded},
            {"note", m.note}};
  if (m.largest_everyday)
    done["largest_everyday"] = to_json(*m.largest_everyday);
  if (m.largest)
    done["largest"] = to_json(*m.largest);
  return {{"done", std::move(done)}};
}
Json json_of(const Failure& m) { return {{"error", {{"status", m.status}, {"what", m.what}, {"hint", m.hint}}}}; }
Json json_of(const WorkerDeath& m) {
  return {{"death",
           {{"hung", m.hung},
            {"signal", m.signal},
            {"status", m.status},
            {"in_call", m.in_call},
            {"in_reference", m.in_reference},
            {"in_constructors", m.in_constructors},
            {"out_of_time", m.out_of_time},
            {"input", values_to_json(m.input)}}}};
}
Json json_of(const JobEnd& m) { return {{"end", m.completed}}; }
Json json_of(const Sentence& m) { return {{std::string(name_of(sentence_keys, m.role)), m.text}}; }
Json json_of(const RowMessage& m) {
  const OperationRow& row = m.row;
  Json conditions = Json::array();
  for (const double condition : row.conditions)
    conditions.push_back(measure(condition));
  return {{"row",
           {{"file", row.file},
            {"line", row.line},
            {"column", row.column},
            {"function", row.function},
            {"operation", row.operation},
            {"text", row.text},
            {"operands", row.operands},
            {"conditions", conditions},
            {"result", row.result},
            {"reference", row.reference},
            {"error", measure(row.relative_error)},
            {"share", measure(row.share)}}}};
}
Json json_of(const RowsDone& m) { return {{"rows", m.rows}, {"sites", m.sites}, {"too_long", m.too_long}}; }
Json json_of(const ReplayResult& m) {
  Json violations = Json::array();
  for (const Violation& violation : m.violations)
    violations.push_back({{"what", violation.what}, {"expected", violation.expected}, {"found", violation.found}});
  return {{"reproduced", m.reproduced}, {"what", m.what}, {"violations", violations}};
}
Json json_of(const PlotsMessage& m) { return {{"plots", to_json(m.plots)}}; }
Json json_of(const Examined& m) {
  if (!m.expected)
    return {{"left_out", m.left_out}};
  const Expectation& e = *m.expected;
  return {{"expected",
           {{"output", e.output},
            {"reference", {e.reference.decimal, e.reference.hex}},
            {"computed", {e.computed.decimal, e.computed.hex}},
            {"ulps", measure(e.ulps)},
            {"bound", measure(e.bound)},
            {"unavoidable", measure(e.unavoidable)}}}};
}
Json json_of(const BranchMessage& m) {
  return {{"branch",
           {{"site", m.site},
            {"outcome", m.outcome},
            {"input", values_to_json(m.input)},
            {"file", m.branch.file},
            {"function", m.branch.function},
            {"line", m.branch.line},
            {"column", m.branch.column},
            {"operation", m.branch.operation},
            {"condition", m.branch.condition},
            {"text", m.branch.outcome},
            {"standing", text(m.branch.standing)},
            {"solver", m.branch.solver},
            {"why", m.branch.why}}}};
}
Json json_of(const ExplorationDone& m) {
  return {{"explored",
           {{"paths", m.paths},
            {"complete", m.complete},
            {"bounded", m.bounded},
            {"questions", m.questions},
            {"unanswered", m.unanswered},
            {"evaluations", m.evaluations},
            {"seconds", measure(m.seconds)}}}};
}
Json json_of(const RunMessage& m) {
  const Json decisions = decisions_json(m.decisions);
  return {{"run",
           {{"input", m.input},
            {"ending", m.ending},
            {"returned", m.returned},
            {"missing", m.missing},
            {"decisions", decisions},
            {"outputs", values_to_json(m.outputs)}}}};
}
Json json_of(const ExtentsMessage& m) { return {{"extents", to_json(m.extents)}}; }
Json json_of(const OverrunJudged& m) { return {{"larger_helps", m.larger_helps}, {"needed", to_json(m.needed)}}; }

Json json_of(const BoundsMessage& m) { return {{"bounds", to_json(m.bounds)}}; }
Json json_of(const ProofMessage& m) { return {{"proof", to_json(m.proof)}}; }
Json json_of(const CertificateMessage& m) { return {{"certificate", to_json(m.certificate)}}; }
Json json_of(const PathMessage& m) {
  Json json{{"path", m.input}, {"inputs", m.inputs}};
  if (m.code)
    json["code"] = to_json(*m.code);
  else
    json["obstacle"] = m.obstacle;
  return json;
}
Json json_of(const CandidateMessage& m) { return {{"candidate", candidate_json(m)}}; }
Json json_of(const CandidatesDone& m) { return {{"candidates", m.candidates}, {"cut", m.cut}}; }
Json json_of(const Measured& m) { return {{"measured", measured_json(m)}, {"ending", m.ending}}; }

} // namespace

std::optional<FindingRole> finding_role_of(std::string_view key) { return id_of(finding_keys, key); }
std::optional<SentenceRole> sentence_role_of(std::string_view key) { return id_of(sentence_keys, key); }

bool is_of_supervisor(const Message& message) {
  return std::holds_alternative<WorkerDeath>(message) || std::holds_alternative<JobEnd>(message);
}

std::string message_text(const Message& message) {
  return json_text(std::visit([](const auto& what) { return json_of(what); }, message));
}

} // namespace faultline::finding
