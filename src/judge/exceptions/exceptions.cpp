#include "judge/exceptions/exceptions.h"

#include "exec/guard.h"
#include "judge/exceptions/exception_wording.h"
#include "judge/exceptions/own_error.h"
#include "judge/number.h"
#include "oracle/lifted.h"
#include "tape/exceptions.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {

using finding::Aftermath;
using finding::Finding;
using finding::Kind;
using finding::OracleName;
using finding::Origin;
using finding::Output;
using finding::Settings;
using finding::Swallower;
using finding::Verdict;

using oracle::Judgement;
using oracle::OutputJudgement;

namespace {

bool is_pole(ops::Exception kind) { return info(finding::kind_of(kind)).family == finding::KindFamily::undefined; }

void add_sentence(std::string& text, const std::string& sentence) {
  if (!sentence.empty())
    text += (text.empty() ? "" : "; ") + sentence;
}

} // namespace

uint32_t flag_of(ops::Exception kind) {
  switch (kind) {
  case ops::Exception::overflow:
    return exec::flag_overflow;
  case ops::Exception::underflow:
    return exec::flag_underflow;
  case ops::Exception::divide_by_zero:
    return exec::flag_divide_by_zero;
  case ops::Exception::invalid:
  case ops::Exception::none:
    break;
  }
  return exec::flag_invalid;
}

namespace {

// What the oracle may cost: the records of all runs that it judges, for each second of the search's budget. A guess: a
// lifted run takes a microsecond or so for each of its operations.
constexpr double records_a_second = 1'000'000, most_seconds = 10;

} // namespace

// One input, run and judged.
struct ExceptionJudge::Trial {
  const exec::Input& input;
  const exec::Run& run;
  const tape::Tape& tape;
  const std::string& strategy;
  Exact exact;
  const OutputJudgement* wrong = nullptr; // the worst output whose error counts
};

ExceptionJudge::ExceptionJudge(exec::Session& session, const Settings& settings, Judge& judge,
                               const Locations& locations, const CallerNotice& reporting)
    : session_(session), settings_(settings), judge_(judge), locations_(locations), reporting_(reporting),
      allowance_(uint64_t(records_a_second * std::min(settings.budget_seconds, most_seconds))) {}

uint32_t ExceptionJudge::native_flags(const exec::Input& input, exec::Outcome& outcome) {
  const exec::Run& run = session_.run_native(input);
  outcome = run.outcome;
  return run.flags;
}

// Both versions of the code must have raised the flag. Nothing: it is no finding.
std::optional<bool> ExceptionJudge::raised(const Shown& shown, const exec::Run& run, uint32_t native) const {
  if (run.flags & native & flag_of(shown.kind))
    return true;
  const tape::Site& site = session_.sites().sites[run.records[shown.record].site];
  return is_narrow_conversion(site) ? std::optional(false) : std::nullopt;
}

std::vector<Confirmed> ExceptionJudge::confirmed(const exec::Input& input) {
  exec::Outcome native_outcome;
  const uint32_t native = native_flags(input, native_outcome);
  const exec::Run& run = session_.run(input);
  std::vector<Confirmed> all;
  if (!ended_by_choice(run.outcome) || native_outcome != run.outcome)
    return all;
  const tape::Tape tape(run, session_.sites(), input.size());
  for (const Shown& shown : shown_exceptions(tape, locations_))
    if (const std::optional<bool> flags = raised(shown, run, native))
      all.push_back({shown, *flags});
  return all;
}

std::vector<Finding> ExceptionJudge::findings(const Suspect& suspect, const std::string& strategy) {
  std::vector<Confirmed> shown = confirmed(suspect.input);
  const exec::Run run = session_.run(suspect.input); // the same again; what confirmed() saw of it stands on its tape
  const tape::Tape tape(run, session_.sites(), suspect.input.size());
  std::vector<Finding> findings;
  std::optional<Trial> trial;
  for (const Suspicion& suspicion : suspect.suspicions) {
    const auto same = std::ranges::find_if(shown, [&](const Confirmed& one) {
      return one.shown.location == suspicion.location && one.shown.kind == suspicion.kind;
    });
    if (same == shown.end()) {
      ++unconfirmed_;
      continue;
    }
    if (!trial) {
      trial.emplace(suspect.input, run, tape, strategy, exact(suspect.input, run, tape));
      for (const OutputJudgement& output : trial->exact.judgement.outputs)
        if ((judge_.counts(output) || is_spoiled(output)) &&
            (!trial->wrong || output.relative > trial->wrong->relative))
          trial->wrong = &output;
    }
    findings.push_back(finding(*trial, *same, false));
    findings.back().found_by = suspicion.found_by;
    // An underflow that looks harmless on other inputs is not, where it leads to a pole.
    if (const uint32_t behind = tape::underflow_behind(tape, same->shown.record); behind && is_pole(same->shown.kind)) {
      const uint32_t location = locations_.of(run.records[behind].site);
      const auto underflow = std::ranges::find_if(shown, [&](const Confirmed& one) {
        return one.shown.kind == ops::Exception::underflow && one.shown.location == location;
      });
      if (underflow != shown.end()) {
        findings.push_back(finding(*trial, *underflow, true));
        findings.back().found_by = suspicion.found_by;
      }
    }
  }
  return findings;
}

std::vector<Finding> ExceptionJudge::findings_at(const exec::Input& input, const Finding& like) {
  Suspect suspect{input, {}};
  for (const Confirmed& one : confirmed(input)) {
    const tape::Site& site = session_.sites().sites[locations_.site(one.shown.location)];
    if (finding::kind_of(one.shown.kind) == like.kind && like.cause && site.line == like.cause->line &&
        site.column == like.cause->column && site.file == like.cause->file &&
        ops::name(site.op) == like.cause->operation)
      suspect.suspicions.push_back({one.shown.location, one.shown.kind, like.found_by});
  }
  return suspect.suspicions.empty() ? std::vector<Finding>() : findings(suspect, like.strategy);
}

// Where an infinity or NaN among the operands came from, or the zero that an underflow left.
std::optional<Origin> ExceptionJudge::origin_of(const Trial& trial, const Aftermath& aftermath, uint32_t event) const {
  const uint32_t operand = aftermath.consequence ? tape::nonfinite_operand(trial.tape, event) : 0;
  const uint32_t source = operand                     ? tape::source_of_nonfinite(trial.tape, operand)
                          : aftermath.after_underflow ? tape::underflow_behind(trial.tape, event)
                                                      : 0;
  if (source == 0 || source <= trial.tape.inputs() || ops::is_leaf(trial.tape.site(source).op))
    return {};
  const ops::Exception kind = tape::exception_of(trial.tape, source);
  if (kind == ops::Exception::none)
    return {};
  Finding there;
  judge_.name_cause(there, trial.tape.site(source));
  return Origin{*there.cause, finding::kind_of(kind)};
}

// What is left of a swallowed infinity may be nothing beside what the run loses elsewhere.
bool ExceptionJudge::is_wrong_otherwise(const Trial& trial, uint32_t exception, const tape::Fate& fate) const {
  return trial.run.outcome == exec::Outcome::returned && trial.wrong && !is_spoiled(*trial.wrong) &&
         !is_own_error(trial.tape, trial.exact.judgement, trial.wrong->output, exception, fate.record);
}

Finding ExceptionJudge::finding(const Trial& trial, const Confirmed& confirmed, bool behind_pole) {
  const Shown& shown = confirmed.shown;
  const bool returned = trial.run.outcome == exec::Outcome::returned;
  const bool underflow = shown.kind == ops::Exception::underflow;
  Finding finding = judge_.blank(finding::kind_of(shown.kind), trial.input, trial.strategy);
  judge_.name_cause(finding, trial.tape.site(shown.record));
  finding.cause->share = 1;
  if (!ops::is_to_int(trial.tape.site(shown.record).op)) // the integer is not followed
    finding.verdict = trial.exact.verdict;

  // An underflow reaches the output that is wrong, or none.
  const std::vector<size_t> wrong = trial.wrong ? std::vector{trial.wrong->output} : std::vector<size_t>();
  const std::vector<size_t>& wanted = underflow ? wrong : judge_.outputs();
  const tape::Fates fates(trial.tape, wanted);
  const tape::Fate fate = underflow ? fates.of_number(shown.record) : fates.of_nonfinite(shown.record);

  Aftermath& aftermath = finding.aftermath.emplace();
  aftermath.reaches_output = returned && fate.end == tape::End::output;
  aftermath.reported_by = reporting_.by(trial.run);
  aftermath.consequence = shown.consequence;
  aftermath.after_underflow = is_pole(shown.kind) && tape::underflow_behind(trial.tape, shown.record) != 0;
  aftermath.flags = confirmed.flags;
  aftermath.result =
      trial.wrong && trial.exact.result != finding::Result::right ? finding::Result::wrong : trial.exact.result;
  aftermath.origin = origin_of(trial, aftermath, shown.record);
  const bool led_astray = fate.end == tape::End::comparison || fate.end == tape::End::conversion;
  const bool wrong_otherwise =
      !underflow && !led_astray && !aftermath.reaches_output && is_wrong_otherwise(trial, shown.record, fate);
  if (wrong_otherwise)
    aftermath.result = finding::Result::unknown;
  // What is infinite or NaN is so by an overflow or a pole, not by an underflow that happens to be added to it.
  const bool did_it = trial.wrong && (behind_pole || !is_spoiled(*trial.wrong));
  aftermath.harmless = underflow && !(returned && trial.wrong && ((aftermath.reaches_output && did_it) || led_astray));
  if (fate.record != 0 && !aftermath.harmless) {
    const tape::Site& site = trial.tape.site(fate.record);
    aftermath.swallowed_at = Swallower{site.file, site.line, std::string(ops::name(site.op))};
  }

  if (returned)
    name_output(finding, trial, fate, !wrong_otherwise);
  if (!aftermath.harmless)
    finding.detail = fate_words(trial.tape, session_.target(), judge_.outputs(), shown.record, fate);
  else if (returned && trial.exact.judgement.certainty == oracle::Certainty::known)
    finding.detail =
        trial.wrong ? "harmless: the result is wrong, but not by this" : "harmless: the result is right all the same";
  else
    finding.detail = "nothing shows that it matters: what is right is not known";
  if (wrong_otherwise)
    add_sentence(finding.detail, "the result is wrong, but not by this");
  add_sentence(finding.detail, consequence_words(trial.tape, session_.target(), shown.record));
  if (aftermath.after_underflow)
    add_sentence(finding.detail, vanished_words(trial.tape, shown.record));
  if (!returned)
    add_sentence(finding.detail, fmt::format("the run ended: {}", exec::text(trial.run.outcome)));
  add_sentence(finding.detail, reporting_.words(trial.run));
  if (!confirmed.flags)
    add_sentence(finding.detail, "the hardware raises no flag for this conversion");
  return finding;
}

// The output that it reaches, else the worst that is known, else the first.
void ExceptionJudge::name_output(Finding& finding, const Trial& trial, const tape::Fate& fate, bool own_error) const {
  const std::vector<OutputJudgement>& judged = trial.exact.judgement.outputs;
  if (judge_.outputs().empty())
    return;
  const OutputJudgement* output = judge_.worst(trial.exact.judgement);
  if (fate.end == tape::End::output)
    if (const auto reached = std::ranges::find(judged, fate.output, &OutputJudgement::output); reached != judged.end())
      output = &*reached;
  const size_t which = output ? output->output : fate.end == tape::End::output ? fate.output : judge_.outputs().front();
  const frontend::Cell& cell = session_.target().outputs[which];
  finding.output = Output{cell.name, number_of(trial.tape.outputs()[which].value, cell.type), {}};
  if (!output)
    return;
  if (!output->unset)
    finding.output->reference = number_of(output->reference, cell.type);
  if (own_error && std::isfinite(output->relative)) // an infinity or NaN is the finding itself
    finding.error = judge_.error_of(*output);
}

} // namespace faultline::judge
