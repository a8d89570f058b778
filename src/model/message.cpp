#include "model/message.h"

#include "base/error.h"
#include "model/finding.h"
#include "model/json/finding_json.h"
#include "numeric/decimal.h"

#include <algorithm>

namespace faultline::model {

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

// The first key of a message. The members of some are an object under it; others list it as their first member.
struct MessageForm {
  std::string_view key;
  bool has_object = false;
};

// In the order of the alternatives of Message. Messages with roles have the keys above.
constexpr std::array<MessageForm, std::variant_size_v<Message>> forms = {{{"progress"},
                                                                          {""},
                                                                          {"done", true},
                                                                          {"error", true},
                                                                          {"death", true},
                                                                          {"end"},
                                                                          {""},
                                                                          {"row", true},
                                                                          {"rows"},
                                                                          {"reproduced"},
                                                                          {"plots", true},
                                                                          {"expected"},
                                                                          {"branch", true},
                                                                          {"explored", true},
                                                                          {"run", true},
                                                                          {"bounds", true},
                                                                          {"proof", true},
                                                                          {"certificate", true},
                                                                          {"path"},
                                                                          {"extents", true},
                                                                          {"larger_helps"},
                                                                          {"candidate", true},
                                                                          {"candidates"},
                                                                          {"measured"},
                                                                          {"differs"},
                                                                          {"trial", true}}};

bool is_control(char c) { return (c >= 0 && c < ' ') || c == 0x7f; }

std::string first_key(const Place& place) {
  const auto members = place.members();
  if (members.empty())
    place.refuse("is an empty object");
  return members.front().first;
}

} // namespace

template <> void Value::carry(Region& region) const { choose(region, region_of, "the region of a test vector"); }
template <> void Value::carry(BranchState& state) const { choose(state, branch_state_of, "the standing of a branch"); }

// [site, outcome]
template <> void Value::carry(std::pair<uint32_t, int64_t>& decision) const {
  if (!reads()) {
    json() = Json::array({decision.first, decision.second});
    return;
  }
  const std::vector<Place> parts = place().elements();
  if (parts.size() != 2)
    place().refuse("is not a site and an outcome");
  decision = {parts[0].whole<uint32_t>(), parts[1].integer()};
}

template <> void Fields::list(SearchProgress& progress) {
  required("progress", progress.evaluations);
  FAULTLINE_FIELDS(required, progress, reached, sites, phase);
  check(progress.phase.size() <= SearchProgress::longest_phase, "phase", "is too long");
}

template <> void Fields::list(FindingMessage& message) {
  if (reads())
    message.role = *id_of(finding_keys, first_key(place()));
  required(std::string(name_of(finding_keys, message.role)), message.finding);
}

template <> void Fields::list(HuntDone& done) {
  FAULTLINE_FIELDS(required, done, sites, evaluations, seconds, total_seconds, unknown, judged, out_of_time, cut,
                   stopped, folded, note);
  check(done.note.size() <= HuntDone::longest_note && std::ranges::none_of(done.note, is_control), "note",
        "is not one short line");
  FAULTLINE_FIELDS(optional, done, largest_everyday, largest);
}

// The value may become the exit status of the program, so a failure must not have the status of a success.
template <> void Fields::list(Failure& failure) {
  required("status", failure.status);
  check(failure.status == base::status_usage || failure.status == base::status_unsuitable ||
            failure.status == base::status_inconclusive || failure.status == base::status_internal,
        "status", "is not the status of a failure");
  required("what", failure.what);
  check(failure.what.size() <= Failure::longest, "what", "is too long");
  required("hint", failure.hint);
  check(failure.hint.size() <= Failure::longest, "hint", "is too long");
}

template <> void Fields::list(WorkerDeath& death) {
  FAULTLINE_FIELDS(required, death, hung, signal, status, in_call, in_reference, in_constructors, out_of_time, input);
}

template <> void Fields::list(JobEnd& end) {
  required("end", end.completed);
  required("calls", end.calls);
}

template <> void Fields::list(Sentence& sentence) {
  if (reads())
    sentence.role = *id_of(sentence_keys, first_key(place()));
  required(std::string(name_of(sentence_keys, sentence.role)), sentence.text);
}

template <> void Fields::list(RowMessage& message) {
  OperationRow& row = message.row;
  FAULTLINE_FIELDS(required, row, file, line, column, function, operation, text, operands, conditions, result,
                   reference);
  required("error", row.relative_error);
  required("share", row.share);
}

template <> void Fields::list(RowsDone& done) { FAULTLINE_FIELDS(required, done, rows, sites, too_long); }

template <> void Fields::list(Violation& violation) { FAULTLINE_FIELDS(required, violation, what, expected, found); }

template <> void Fields::list(ReplayResult& result) {
  FAULTLINE_FIELDS(required, result, reproduced, what, violations);
}

template <> void Fields::list(BuiltAnswer& answer) {
  required("differs", answer.differs);
  check(answer.differs.size() <= BuiltAnswer::longest && std::ranges::none_of(answer.differs, is_control), "differs",
        "is not one short line");
}

template <> void Fields::list(PlotsMessage& message) { list(message.plots); }

namespace {

// Texts of the pair become source text of programs, so they are checked.
void carry_pair(const Value& value, Number& number) {
  std::vector<std::string> parts = {number.decimal, number.hex};
  value.carry(parts);
  if (!value.reads())
    return;
  if (parts.size() != 2 ||
      !std::ranges::all_of(parts, [](const std::string& text) { return numeric::parse_long_double(text).has_value(); }))
    value.place().refuse("is not a number in decimal and in hex");
  number = {parts[0], parts[1]};
}

} // namespace

template <> void Fields::list(Expectation& expectation) {
  required("output", expectation.output);
  with("reference", [&](const Value& value) { carry_pair(value, expectation.reference); });
  with("computed", [&](const Value& value) { carry_pair(value, expectation.computed); });
  FAULTLINE_FIELDS(required, expectation, ulps, bound, unavoidable);
}

template <> void Fields::list(ExaminationResult& examined) {
  if (present("expected", examined.expected.has_value()))
    required("expected", content(examined.expected));
  else
    required("left_out", examined.left_out);
}

template <> void Fields::list(BranchMessage& message) {
  CoveredBranch& branch = message.branch;
  FAULTLINE_FIELDS(required, message, site, outcome, input);
  FAULTLINE_FIELDS(required, branch, file, function, line, column, operation, condition);
  required("text", branch.outcome);
  required("standing", branch.state);
  FAULTLINE_FIELDS(required, branch, solver, why);
}

template <> void Fields::list(ExplorationDone& done) {
  FAULTLINE_FIELDS(required, done, paths, complete, bounded, questions, unanswered, evaluations, seconds);
}

template <> void Fields::list(RunMessage& run) {
  FAULTLINE_FIELDS(required, run, input, ending, returned, missing, decisions, outputs);
}

template <> void Fields::list(BoundsMessage& message) { list(message.bounds); }
template <> void Fields::list(ProofMessage& message) { list(message.proof); }
template <> void Fields::list(CertificateMessage& message) { list(message.certificate); }

template <> void Fields::list(PathMessage& message) {
  required("path", message.input);
  required("inputs", message.inputs);
  check(message.inputs <= UINT32_MAX, "inputs", fmt::format("is not a whole number from 0 to {}", UINT32_MAX));
  if (present("code", message.code.has_value()))
    with("code", [&](const Value& value) { carry_path(value, content(message.code), message.inputs); });
  else
    required("obstacle", message.obstacle);
}

template <> void Fields::list(ExtentsMessage& message) { list(message.extents); }

template <> void Fields::list(OverrunJudgement& judged) { FAULTLINE_FIELDS(required, judged, larger_helps, needed); }

template <> void Fields::list(CandidateMessage& candidate) {
  FAULTLINE_FIELDS(required, candidate, region, input, decisions);
}

template <> void Fields::list(CandidatesDone& done) { FAULTLINE_FIELDS(required, done, candidates, cut); }

namespace {

// [number]
void carry_single(const Value& value, numeric::Value& number) {
  std::vector<numeric::Value> list = {number};
  value.carry(list);
  if (value.reads() && list.size() != 1)
    value.place().refuse("is not one number");
  if (value.reads())
    number = list.front();
}

} // namespace

template <> void Fields::list(MeasuredOutput& output) {
  required("output", output.output);
  with("computed", [&](const Value& value) { carry_single(value, output.computed); });
  FAULTLINE_FIELDS(required, output, ulps, reference_by);
  if (present("reference", output.reference.has_value()))
    with("reference", [&](const Value& value) { carry_single(value, content(output.reference)); });
}

template <> void Fields::list(Measurement& measured) {
  required("measured", measured.outputs);
  required("ending", measured.ending);
}

template <> void Fields::list(TrialErrors& errors) {
  FAULTLINE_FIELDS(required, errors, first, everyday, anywhere, bits);
}

template <> void Fields::list(TrialDone& trial) {
  FAULTLINE_FIELDS(required, trial, tried, unknown, worse, better, exhaustive, shown, before, after, cost,
                   counterexamples, why);
  check(trial.why.size() <= TrialDone::longest && std::ranges::none_of(trial.why, is_control), "why",
        "is not one short line");
}

namespace {

// Returns the alternative of Message with this first key; the number of alternatives if there is none.
size_t alternative_of(std::string_view key) {
  if (id_of(finding_keys, key))
    return Message(FindingMessage()).index();
  if (id_of(sentence_keys, key))
    return Message(Sentence()).index();
  if (key == "left_out")
    return Message(ExaminationResult()).index();
  return key.empty() ? forms.size() : size_t(std::ranges::find(forms, key, &MessageForm::key) - forms.begin());
}

template <size_t... index> Message default_message(size_t alternative, std::index_sequence<index...>) {
  Message message;
  ((alternative == index ? void(message.emplace<index>()) : void()), ...);
  return message;
}

Message message_at(const Place& place) {
  const std::string key = first_key(place);
  const size_t alternative = alternative_of(key);
  if (alternative == forms.size())
    place.refuse(fmt::format("'{}' is not a type of message", key.substr(0, 40)));
  Message message = default_message(alternative, std::make_index_sequence<forms.size()>());
  const Place content = forms[alternative].has_object ? place[key] : place;
  std::visit([&](auto& what) { Value(content).carry(what); }, message);
  return message;
}

} // namespace

bool is_of_supervisor(const Message& message) {
  return std::holds_alternative<WorkerDeath>(message) || std::holds_alternative<JobEnd>(message);
}

std::string message_text(const Message& message) {
  const MessageForm& form = forms[message.index()];
  Json json = std::visit([](const auto& what) { return to_json(what); }, message);
  if (form.has_object)
    json = Json{{std::string(form.key), std::exchange(json, nullptr)}};
  return json_text(json);
}

Message parse_message(std::string_view text) { return read_json(text, "a worker's message", message_at); }

} // namespace faultline::model
