#include "judge/exceptions/exceptions.h"

#include "exec/guard.h"
#include "exec/session.h"
#include "judge/diagnosis/diagnose.h"
#include "judge/exceptions/limit.h"
#include "judge/given_input.h"
#include "oracle/judgement.h"
#include "tape/tape.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace faultline::judge {

using namespace model;
using numeric::Value;
using oracle::Judgement;
using oracle::OutputJudgement;

namespace {

// Sentences about the effect of an exception, with places.
std::string value_words(Value value) {
  return std::isnan(value) ? "the NaN" : std::isinf(value) ? "the infinity" : "the number";
}

std::string place(const tape::Site& site) {
  return site.line > 0 ? fmt::format("{}:{}", site.file, site.line) : fmt::format("a place in {}", site.function);
}

std::string arithmetic_words(const tape::Tape& tape, const tape::Fate& fate) {
  const tape::Site& site = tape.site(fate.record);
  const std::string value = value_words(tape.exact(fate.operand));
  const Value result = tape.exact(fate.record);
  switch (site.op) {
  case ops::Op::fdiv:
    if (result == 0)
      return fmt::format("{} is divided into zero at {}", value, place(site));
    break;
  case ops::Op::fmin:
  case ops::Op::fmax:
    return fmt::format("{} drops {} at {}", ops::name(site.op), value, place(site));
  default:
    break;
  }
  model::Type type;
  type.format = site.format;
  return fmt::format("{} becomes {} in {} at {}", value, number_of(result, type).decimal, ops::name(site.op),
                     place(site));
}

// "the infinity is divided into zero at bessel.c:243 and the result is finite". `judged`: outputs.
std::string fate_words(const tape::Tape& tape, const model::Target& target, const std::vector<size_t>& judged,
                       uint32_t event, const tape::Fate& fate) {
  const bool finite =
      std::ranges::all_of(judged, [&](size_t output) { return std::isfinite(tape.outputs()[output].value); });
  const tape::Site& taker = tape.site(fate.record == 0 ? event : fate.record);
  switch (fate.end) {
  case tape::End::output: {
    const std::string& name = target.outputs[fate.output].name;
    return name == "return" ? "it reaches the output" : fmt::format("it reaches the output {}", name);
  }
  case tape::End::unjudged:
    return fmt::format("it reaches {}, which is not judged", target.outputs[fate.output].name);
  case tape::End::arithmetic:
    return arithmetic_words(tape, fate) + (finite ? " and the result is finite" : "");
  case tape::End::comparison:
    return fmt::format("{} goes no further than the comparison at {}, which is {}",
                       value_words(tape.exact(fate.operand)), place(taker), tape.exact(fate.record) != 0);
  case tape::End::conversion:
    return fmt::format("{} goes no further than the conversion to an integer at {}",
                       value_words(tape.exact(fate.operand)), place(taker));
  case tape::End::unused:
    break;
  }
  return ops::is_to_int(taker.op) ? "the resulting integer is not tracked" : "the result is not used";
}

// "the 0 is what the underflow of fmul at f.c:8 left"; empty if the zero has no such cause.
std::string vanished_words(const tape::Tape& tape, uint32_t event) {
  const uint32_t underflow = tape::underflow_behind(tape, event);
  if (underflow == 0)
    return {};
  const tape::Site& site = tape.site(underflow);
  return fmt::format("the 0 is what the underflow of {} at {} left", ops::name(site.op), place(site));
}

// "follows from the overflow of fmul at f.c:3"; empty if all operands of the event were finite.
std::string consequence_words(const tape::Tape& tape, const model::Target& target, uint32_t event) {
  const uint32_t operand = tape::nonfinite_operand(tape, event);
  if (operand == 0)
    return {};
  const uint32_t source = tape::source_of_nonfinite(tape, operand);
  if (source != 0 && source <= tape.inputs())
    return fmt::format("follows from the input {}", target.inputs[source - 1].name);
  if (source == 0 || ops::is_leaf(tape.site(source).op))
    return fmt::format("follows from {} that was there before", value_words(tape.exact(operand)));
  const tape::Site& site = tape.site(source);
  return fmt::format("follows from the {} of {} at {}", ops::name(tape::exception_of(tape, source)), ops::name(site.op),
                     place(site));
}

// Attributes the error. A run with an exception may be wrong for another reason: an infinity that is divided into zero
// disappears, and its effect may be negligible compared with other errors of the run.

// True if the largest part of the output's error, on the path of the run, is due to the exception of this record, or to
// the operation that removed its result (0: none). Also true if the run is too long to decide.
bool is_own_error(const tape::Tape& tape, const oracle::Judgement& judgement, size_t output, uint32_t exception,
                  uint32_t swallower) {
  const uint32_t record = tape.outputs()[output].record;
  if (record == 0 || tape.size() > largest_explained)
    return true;
  Analysis analysis(judgement);
  return std::ranges::any_of(analysis.error_path(tape, record), [&](const explain::Link& link) {
    return link.record == exception || link.record == swallower;
  });
}

bool is_pole(ops::Exception kind) { return info(model::kind_of(kind)).family == KindFamily::undefined; }

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

// The limit on the oracle: the records of all runs that it judges, for each second of the search's budget. A guess,
// with about a microsecond per operation of a lifted run.
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

// Both versions of the code must have raised the flag. Nothing: not a finding.
std::optional<bool> ExceptionJudge::raised(const SeenException& shown, const exec::Run& run, uint32_t native) const {
  if (run.flags & native & flag_of(shown.kind))
    return true;
  const tape::Site& site = session_.sites().sites[run.records[shown.record].site];
  return is_narrow_conversion(site) ? std::optional(false) : std::nullopt;
}

std::vector<ConfirmedException> ExceptionJudge::confirmed(const exec::Input& input) {
  exec::Outcome native_outcome;
  const uint32_t native = native_flags(input, native_outcome);
  const exec::Run& run = session_.run(input);
  std::vector<ConfirmedException> all;
  if (!ended_by_choice(run.outcome) || native_outcome != run.outcome)
    return all;
  const tape::Tape tape(run, session_.sites(), input.size());
  for (const SeenException& shown : shown_exceptions(tape, locations_))
    if (const std::optional<bool> flags = raised(shown, run, native))
      all.push_back({shown, *flags});
  return all;
}

std::vector<Finding> ExceptionJudge::findings(const Suspect& suspect, const std::string& strategy) {
  std::vector<ConfirmedException> shown = confirmed(suspect.input);
  const exec::Run run = session_.run(suspect.input); // repeats the run; what confirmed() found is on its tape
  const tape::Tape tape(run, session_.sites(), suspect.input.size());
  std::vector<Finding> findings;
  std::optional<Trial> trial;
  for (const ExceptionSite& suspicion : suspect.suspicions) {
    const auto same = std::ranges::find_if(shown, [&](const ConfirmedException& one) {
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
    // An underflow that is harmless on other inputs matters if it leads to a pole.
    if (const uint32_t behind = tape::underflow_behind(tape, same->shown.record); behind && is_pole(same->shown.kind)) {
      const uint32_t location = locations_.of(run.records[behind].site);
      const auto underflow = std::ranges::find_if(shown, [&](const ConfirmedException& one) {
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
  for (const ConfirmedException& one : confirmed(input)) {
    const tape::Site& site = session_.sites().sites[locations_.site(one.shown.location)];
    if (model::kind_of(one.shown.kind) == like.kind && like.cause && site.line == like.cause->line &&
        site.column == like.cause->column && site.file == like.cause->file &&
        ops::name(site.op) == like.cause->operation)
      suspect.suspicions.push_back({one.shown.location, one.shown.kind, like.found_by});
  }
  return suspect.suspicions.empty() ? std::vector<Finding>() : findings(suspect, like.strategy);
}

// The origin of an infinity or NaN among the operands, or of a zero that an underflow left.
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
  return Origin{*there.cause, model::kind_of(kind)};
}

// The effect of a removed infinity may be negligible compared with the run's other errors.
bool ExceptionJudge::is_wrong_otherwise(const Trial& trial, uint32_t exception, const tape::Fate& fate) const {
  return trial.run.outcome == exec::Outcome::returned && trial.wrong && !is_spoiled(*trial.wrong) &&
         !is_own_error(trial.tape, trial.exact.judgement, trial.wrong->output, exception, fate.record);
}

Finding ExceptionJudge::finding(const Trial& trial, const ConfirmedException& confirmed, bool behind_pole) {
  const SeenException& shown = confirmed.shown;
  const bool returned = trial.run.outcome == exec::Outcome::returned;
  const bool underflow = shown.kind == ops::Exception::underflow;
  Finding finding = judge_.blank(model::kind_of(shown.kind), trial.input, trial.strategy);
  judge_.name_cause(finding, trial.tape.site(shown.record));
  finding.cause->share = 1;
  if (!ops::is_to_int(trial.tape.site(shown.record).op)) // the integer is not followed
    finding.verdict = trial.exact.verdict;

  // An underflow is attributed to the wrong output, or to none.
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
  aftermath.result = trial.wrong && trial.exact.result != Result::right ? Result::wrong : trial.exact.result;
  aftermath.origin = origin_of(trial, aftermath, shown.record);
  const bool led_astray = fate.end == tape::End::comparison || fate.end == tape::End::conversion;
  const bool wrong_otherwise =
      !underflow && !led_astray && !aftermath.reaches_output && is_wrong_otherwise(trial, shown.record, fate);
  if (wrong_otherwise)
    aftermath.result = Result::unknown;
  // An infinite or NaN result is due to an overflow or a pole, not to an underflow that is added to it.
  const bool did_it = trial.wrong && (behind_pole || !is_spoiled(*trial.wrong));
  aftermath.harmless = underflow && !(returned && trial.wrong && ((aftermath.reaches_output && did_it) || led_astray));
  if (fate.record != 0 && !aftermath.harmless) {
    const tape::Site& site = trial.tape.site(fate.record);
    aftermath.swallowed_at = AbsorbingOperation{site.file, site.line, std::string(ops::name(site.op))};
  }

  if (returned)
    name_output(finding, trial, fate, !wrong_otherwise);
  if (is_pole(shown.kind) && finding.verdict == Verdict::avoidable && !trial.exact.by_limit)
    judge_.name_roots(finding, trial.tape, shown.record);
  if (!aftermath.harmless)
    finding.detail = fate_words(trial.tape, session_.target(), judge_.outputs(), shown.record, fate);
  else if (returned && trial.exact.judgement.certainty == oracle::Certainty::known)
    finding.detail =
        trial.wrong ? "harmless: the result is wrong for another reason" : "harmless: the result is right all the same";
  else
    finding.detail = "nothing shows that it matters: the correct result is not known";
  if (wrong_otherwise)
    add_sentence(finding.detail, "the result is wrong for another reason");
  if (trial.exact.by_limit)
    add_sentence(finding.detail, "the exact result has a limit here");
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

// Names the output that the exception reaches, or else the worst known one, or else the first.
void ExceptionJudge::name_output(Finding& finding, const Trial& trial, const tape::Fate& fate, bool own_error) const {
  const std::vector<OutputJudgement>& judged = trial.exact.judgement.outputs;
  if (judge_.outputs().empty())
    return;
  const OutputJudgement* output = judge_.worst(trial.exact.judgement);
  if (fate.end == tape::End::output)
    if (const auto reached = std::ranges::find(judged, fate.output, &OutputJudgement::output); reached != judged.end())
      output = &*reached;
  const size_t which = output ? output->output : fate.end == tape::End::output ? fate.output : judge_.outputs().front();
  const model::Cell& cell = session_.target().outputs[which];
  finding.output = Output{cell.name, number_of(trial.tape.outputs()[which].value, cell.type), {}};
  if (!output)
    return;
  if (!output->unset)
    finding.output->reference = number_of(output->reference, cell.type);
  if (own_error && std::isfinite(output->relative)) // an infinity or NaN is the finding itself
    finding.error = judge_.error_of(*output);
}

// The exact results at an input with an exception.

namespace {

// True if the format can hold the value. A subnormal must be exact: rounding to one is an underflow.
bool representable(const numeric::BigFloat& value, numeric::Format format) {
  numeric::BigFloat rounded = value;
  rounded.round_to(format);
  if (!rounded.is_finite() || value.is_zero())
    return rounded.is_finite();
  return !rounded.is_zero() && (rounded == value || rounded.log2_magnitude() >= numeric::info(format).min_exponent);
}

// Where an infinity or NaN was computed, a zero rounded from a tiny result would have been right.
bool has_finite_nearest(numeric::BigFloat value, numeric::Format format) {
  value.round_to(format);
  return value.is_finite();
}

// The minimum cost of a run in records. In high precision it may take another path; one that is this many times longer
// is not worth following. Both are guesses.
constexpr uint64_t least_cost = 1'000, longer = 8;

} // namespace

bool is_spoiled(const OutputJudgement& output) {
  return !std::isfinite(output.computed) && output.reference.is_finite();
}

// Compares with exact arithmetic where necessary: true if the code ends in the same refusal there, or has no result
// either. A value without correct bits may be anything, until there are enough bits for the squares of the smallest
// doubles. Nothing if the oracle would not finish and is not used. `result`: the outputs compared with the exact ones.
std::optional<bool> ExceptionJudge::ends_alike(const exec::Input& input, const exec::Run& run, Result& result) {
  constexpr long coarse = 2 * oracle::first_precision, fine = 2304;
  constexpr size_t most_records = 1 << 14; // of a run evaluated in the finer precision
  for (const long precision : {coarse, fine}) {
    if (precision == fine && run.records.size() > most_records)
      return std::nullopt;
    mpfr_clear_overflow();
    const exec::LiftedRun lifted = session_.lift(input, precision);
    if (mpfr_overflow_p())
      return std::nullopt; // beyond the range of the oracle's own numbers: an infinity proves nothing
    if (lifted.outcome == exec::Outcome::timed_out) {
      ++timeouts_;
      return std::nullopt;
    }
    const bool alike = run.outcome == exec::Outcome::returned
                           ? lifted.outcome == exec::Outcome::returned && is_undefined(lifted)
                           : lifted.outcome == run.outcome;
    if (!alike)
      return false;
    result = result_of(lifted, run);
  }
  return true;
}

namespace {

// True for the same NaN or infinity, or a value within an ulp.
bool is_same(Value computed, const numeric::BigFloat& exact, const model::Cell& cell) {
  if (std::isnan(computed) || exact.is_nan())
    return std::isnan(computed) && exact.is_nan();
  numeric::BigFloat nearest = exact;
  nearest.round_to(cell.type.format);
  const Value value = nearest.to_long_double();
  if (computed == value || std::isinf(computed) || std::isinf(value))
    return computed == value;
  return oracle::measure(0, cell, computed, exact).ulps <= 1;
}

} // namespace

// In the order of floating outputs.
Result ExceptionJudge::result_of(const exec::LiftedRun& lifted, const exec::Run& run) const {
  if (run.outcome != exec::Outcome::returned || lifted.outcome != exec::Outcome::returned)
    return Result::unknown;
  size_t next = 0;
  const auto& cells = session_.target().outputs;
  for (size_t output = 0; output < cells.size(); ++output) {
    if (!cells[output].type.floating)
      continue;
    const numeric::BigFloat& exact = lifted.outputs[next++];
    if (std::ranges::find(judge_.outputs(), output) != judge_.outputs().end() &&
        !is_same(run.outputs[output].value, exact, cells[output]))
      return Result::wrong;
  }
  return Result::right;
}

Result ExceptionJudge::result_of(const Judgement& judgement) const {
  if (judgement.certainty != oracle::Certainty::known || judgement.outputs.empty())
    return Result::unknown;
  const bool right = std::ranges::all_of(judgement.outputs, [&](const OutputJudgement& output) {
    return is_same(output.computed, output.reference, session_.target().outputs[output.output]);
  });
  return right ? Result::right : Result::unknown; // the judge determines how wrong it is
}

bool ExceptionJudge::is_undefined(const exec::LiftedRun& lifted) const {
  size_t next = 0;
  const auto& cells = session_.target().outputs;
  for (size_t output = 0; output < cells.size(); ++output) {
    if (!cells[output].type.floating)
      continue;
    if (!lifted.outputs[next].is_finite() && std::ranges::find(judge_.outputs(), output) != judge_.outputs().end())
      return true;
    ++next;
  }
  return false;
}

ExceptionJudge::Exact ExceptionJudge::exact(const exec::Input& input, const exec::Run& run, const tape::Tape& tape) {
  Exact exact;
  constexpr int most_timeouts = 2; // they cost their full time
  const uint64_t cost = std::max<uint64_t>(tape.size(), least_cost);
  if (settings_.oracle == OracleName::none || timeouts_ >= most_timeouts || cost > allowance_)
    return exact;
  allowance_ -= cost;
  const exec::LiftedLimit limit(session_, longer * cost);
  const bool finite =
      std::ranges::all_of(judge_.outputs(), [&](size_t output) { return std::isfinite(tape.outputs()[output].value); });
  const bool ended = run.outcome != exec::Outcome::returned;
  if (settings_.oracle == OracleName::lifted && (ended || !finite)) {
    const std::optional<bool> alike = ends_alike(input, run, exact.result);
    if (alike.value_or(false)) {
      exact.verdict = Verdict::inherent;
      if (!ended)
        consider_limit(exact, input, tape);
    }
    if (alike.value_or(true))
      return exact;
  }
  exact.judgement = judge_.judge(input, tape);
  exact.verdict = verdict_of(exact.judgement);
  exact.result = result_of(exact.judgement);
  return exact;
}

// A NaN at an everyday input is wrong if exact results have a limit there. Far from everyday inputs, the neighbouring
// results are as little use as the NaN.
void ExceptionJudge::consider_limit(Exact& exact, const exec::Input& input, const tape::Tape& tape) {
  std::vector<size_t> undefined;
  for (const size_t output : judge_.outputs()) {
    const Value value = tape.outputs()[output].value;
    if (std::isinf(value))
      return;
    if (std::isnan(value))
      undefined.push_back(output);
  }
  if (undefined.empty() || !judge_.is_everyday(input) ||
      !has_limit(session_, judge_.space(), input, undefined, settings_.seed))
    return;
  exact.verdict = is_at_one_value(session_, judge_.space(), input, undefined, settings_.seed) ? Verdict::avoidable
                                                                                              : Verdict::unknown;
  exact.result = Result::wrong;
  exact.by_limit = true;
}

Verdict ExceptionJudge::verdict_of(const Judgement& judgement) const {
  if (judgement.certainty != oracle::Certainty::known || judgement.outputs.empty())
    return Verdict::unknown;
  const bool all = std::ranges::all_of(judgement.outputs, [&](const OutputJudgement& output) {
    const numeric::Format format = session_.target().outputs[output.output].type.format;
    return is_spoiled(output) ? has_finite_nearest(output.reference, format) : representable(output.reference, format);
  });
  return all ? Verdict::avoidable : Verdict::inherent;
}

} // namespace faultline::judge
