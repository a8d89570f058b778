#include "judge/tasks/work.h"

#include "exec/session.h"
#include "explain/cause.h"
#include "judge/diagnosis/completion.h"
#include "judge/diagnosis/diagnose.h"
#include "judge/diagnosis/spread.h"
#include "judge/endings.h"
#include "judge/exceptions/exceptions.h"
#include "judge/exceptions/observations.h"
#include "judge/given_input.h"
#include "judge/space_of_target.h"
#include "model/explanation.h"
#include "model/target.h"
#include "numeric/bigfloat.h"
#include "numeric/format.h"
#include "ops/table.h"
#include "search/space.h"
#include "tape/adjoint.h"
#include "tape/replay.h"
#include "tape/tape.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <string>

namespace faultline::judge {

using namespace model;
using numeric::BigFloat;
using numeric::Format;
using numeric::Value;
using oracle::Judgement;
using oracle::OutputJudgement;

namespace {

constexpr size_t most_inputs = 1024; // moved one after the other
constexpr double few = 8;

// The next value away from infinity.
Value moved(Value value, const model::Type& type) {
  const Value up = numeric::next_up(value, type.format);
  return std::isfinite(up) ? up : numeric::next_down(value, type.format);
}

// True if it is neither zero nor infinite when rounded.
bool is_ordinary(BigFloat reference, Format format) {
  reference.round_to(format);
  const Value nearest = reference.to_long_double();
  return nearest != 0 && std::isfinite(nearest);
}

// Examines one input in a worker.
class Examination {
public:
  Examination(exec::Session& session, Judge& judge) : session_(session), judge_(judge) {}

  // The expectation, or why there is none.
  ExaminationResult of(const exec::Input& input, const Finding& finding) {
    const std::vector<OutputJudgement> outputs = judged(input);
    if (outputs.empty())
      return {{}, "the correct result is not known there"};
    const OutputJudgement& chosen = this->chosen(outputs, finding);
    if (chosen.unset)
      return {{}, "exact arithmetic takes the other branch, and does not set the output"};
    if (judge_.arrays().is_matched(chosen.output))
      return {{}, "its order or its sign is free, and a test would demand this one"};
    const model::Cell& cell = session_.target().outputs[chosen.output];
    // A test compares one value: for an element of an array its own error counts.
    const OutputJudgement worst = judge_.arrays().norm_of(chosen.output).empty()
                                      ? chosen
                                      : oracle::measure(chosen.output, cell, chosen.computed, chosen.reference);
    double unavoidable = 0;
    double bound = worst.ulps / 4;
    if (finding.kind != Kind::branch_flip) {
      unavoidable = cost_of_rounded_inputs(input, worst);
      bound = few * (1 + unavoidable);
    }
    if (!is_ordinary(worst.reference, cell.type.format))
      return {{}, "the exact result is zero or out of range"};
    if (worst.ulps <= few)
      return {{}, "the result is right all the same"};
    if (finding.kind != Kind::branch_flip && !(worst.ulps > bound))
      return {{}, "the error is no larger than rounding the inputs can make it"};
    if (!std::isfinite(bound))
      bound = few; // for an infinite jump
    return {Expectation{worst.output, number_of(worst.reference, cell.type), number_of(worst.computed, cell.type),
                        finite(worst.ulps), finite(bound), finite(unavoidable)},
            ""};
  }

private:
  static double finite(double value) { return std::min(value, std::numeric_limits<double>::max()); }

  // Empty if the oracle does not know.
  std::vector<OutputJudgement> judged(const exec::Input& input) {
    const exec::Run& run = session_.run(input);
    if (run.outcome != exec::Outcome::returned || judge_.oracle() == OracleName::none)
      return {};
    const tape::Tape tape(run, session_.sites(), input.size());
    oracle::Judgement judgement = judge_.judge(input, tape);
    if (judgement.certainty != oracle::Certainty::known)
      return {};
    return std::move(judgement.outputs);
  }

  // The finding's output, or the one that is most wrong.
  const OutputJudgement& chosen(const std::vector<OutputJudgement>& outputs, const Finding& finding) const {
    auto named = [&](const OutputJudgement& output) {
      return finding.output && session_.target().outputs[output.output].name == finding.output->name;
    };
    if (const auto found = std::ranges::find_if(outputs, named); found != outputs.end())
      return *found;
    return *std::ranges::max_element(outputs, {}, &OutputJudgement::ulps);
  }

  // In ulps of the output; infinity where the exact result next to the input is unknown.
  double cost_of_rounded_inputs(const exec::Input& input, const OutputJudgement& at) {
    constexpr double unknown = std::numeric_limits<double>::infinity();
    const std::vector<model::Cell>& cells = session_.target().inputs;
    if (cells.size() > most_inputs)
      return unknown;
    double sum = 0;
    for (size_t i = 0; i < cells.size(); ++i) {
      if (!cells[i].type.floating || input[i] == 0 || !std::isfinite(input[i]))
        continue;
      exec::Input near = input;
      near[i] = moved(input[i], cells[i].type);
      const std::vector<OutputJudgement> outputs = judged(near);
      const auto same = std::ranges::find(outputs, at.output, &OutputJudgement::output);
      if (same == outputs.end())
        return unknown;
      sum += numeric::ulp_error(same->reference.to_long_double(), at.reference,
                                session_.target().outputs[at.output].type.format) /
             2;
    }
    return sum;
  }

  exec::Session& session_;
  Judge& judge_;
};

// A record of a tape as explain shows it.
model::Type type_of(const tape::Tape& tape, uint32_t operand) {
  model::Type type;
  type.format = runtime::is_constant(operand) ? tape.table().constants[operand & ~runtime::constant_flag].format
                                              : tape.site(operand).format;
  return type;
}

// An operand in a row: an input by its name, an earlier row as v4, a constant or leaf by its value.
std::string operand_text(const tape::Tape& tape, const model::Target& target, uint32_t operand) {
  if (!runtime::is_constant(operand) && operand <= target.inputs.size())
    return target.inputs[operand - 1].name;
  if (runtime::is_constant(operand) || ops::is_leaf(tape.site(operand).op))
    return number_of(tape.exact(operand), type_of(tape, operand)).decimal;
  return fmt::format("v{}", operand);
}

std::string row_text(const tape::Tape& tape, const model::Target& target, uint32_t index) {
  const ops::Op op = tape.site(index).op;
  std::vector<std::string> operands;
  for (int i = 0; i < ops::arity(op); ++i)
    operands.push_back(operand_text(tape, target, tape.operand(index, i)));
  return fmt::format("v{} = {}", index, written(op, operands));
}

// With one digit more than needed to read it back, as in the papers.
std::string result_text(Value value, const model::Type& type) {
  if (!type.floating || !std::isfinite(value) || value == 0)
    return number_of(value, type).decimal;
  return fmt::format("{:.{}e}", value, numeric::info(type.format).decimal_digits());
}

OperationRow row_of(const tape::Tape& tape, const model::Target& target, uint32_t index, const tape::Replay& exact,
                    double error, double share) {
  const tape::Site& site = tape.site(index);
  const int arity = ops::arity(site.op);
  OperationRow row;
  row.file = site.file;
  row.line = site.line;
  row.column = site.column;
  row.function = site.function;
  row.operation = ops::name(site.op);
  row.text = row_text(tape, target, index);
  const tape::Record& record = tape.record(index);
  const auto conditions = ops::conditions(site.op, tape.value(record.a), arity > 1 ? tape.value(record.b) : 0,
                                          arity > 2 ? tape.value(record.c) : 0, tape.value(index));
  for (int i = 0; i < arity; ++i) {
    const uint32_t operand = tape.operand(index, i);
    row.operands.push_back(number_of(tape.exact(operand), type_of(tape, operand)).decimal);
    row.conditions.push_back(conditions[size_t(i)]);
  }
  if (ops::is_comparison(site.op)) {
    row.result = tape.exact(index) != 0 ? "true" : "false";
  } else {
    model::Type type = type_of(tape, index);
    type.floating = !ops::is_to_int(site.op);
    row.result = result_text(tape.exact(index), type);
    row.reference = number_of(exact.values[index], type).decimal;
  }
  row.relative_error = error;
  row.share = share;
  return row;
}

// The operations of an explained run, one message each.
struct OperationsWanted {
  Analysis& analysis;
  uint32_t output = 0;   // the record of the output whose error is attributed; 0: none
  bool outgrown = false; // the run has more operations than a tape holds and is repeated with a limit
  size_t most = 0;
};

// Sends the first operations of a run that is too long for high precision.
void tell_operations(exec::Session& session, const exec::Input& input, const exec::Run& made,
                     const OperationsWanted& wanted, const Tell& tell) {
  // Leaves are records that are not shown: some for each operation, and the inputs.
  const size_t brief = std::min<size_t>(largest_explained, input.size() + 8 * wanted.most + 64);
  exec::Run run = wanted.outgrown ? session.run_briefly(input, brief) : made;
  size_t rows = 0;
  const tape::Tape whole(run, session.sites(), input.size());
  for (uint32_t index = 1; index < whole.size(); ++index)
    rows += !ops::is_leaf(whole.site(index).op);
  if (whole.size() > largest_explained)
    run.records = run.records.first(brief);
  const tape::Tape tape(run, session.sites(), input.size());
  const tape::Replay& exact = wanted.analysis.exact(tape);
  const std::vector<double> errors = explain::relative_errors(tape, exact);
  const std::vector<Value> shares = explain::own_shares(tape, wanted.output < tape.size() ? wanted.output : 0, exact);
  size_t shown = 0;
  for (uint32_t index = 1; index < tape.size() && shown < wanted.most; ++index)
    if (!ops::is_leaf(tape.site(index).op)) {
      tell(RowMessage{row_of(tape, session.target(), index, exact, errors[index], double(shares[index]))});
      ++shown;
    }
  tell(RowsDone{rows, session.sites().sites.size() - runtime::first_program_site, wanted.outgrown});
}

// How an explained call ended, if it did not return.
std::string place_of(const tape::Site& site) {
  return site.line > 0 ? fmt::format("{}:{}:{}", site.file, site.line, site.column)
                       : fmt::format("a place in {}", site.function);
}

// Sends a finding, unless the code refused the input; or, if a symbol is missing, that nothing is known.
void tell_end(const exec::Run& run, const exec::Input& input, const Judge& judge, const Tell& tell) {
  if (run.outcome == exec::Outcome::missing)
    tell(Sentence{SentenceRole::unknown,
                  fmt::format("unknown: it {}; {}", run.ending.words, advice_on_missing(run.ending))});
  else if (!run.refused_at)
    tell(FindingMessage{FindingRole::found, finding_of(end_of(run), input, judge, given_strategy)});
}

// The last known operation of the run.
void tell_last_operation(const tape::Tape& tape, const Tell& tell) {
  for (uint32_t last = tape.size(); last-- > 1;) {
    if (ops::is_leaf(tape.site(last).op))
      continue;
    tell(Sentence{SentenceRole::note, fmt::format("the last floating-point operation before that is at {}: {}",
                                                  place_of(tape.site(last)), carried_out(tape, last))});
    return;
  }
}

// Why a large error is not a finding (Judge::counts, judge/judge.h), for explain.
std::string why_uncounted(const oracle::OutputJudgement& output, const Judge& judge, const Settings& settings,
                          const model::Target& target) {
  if (judge.counts(output))
    return "next to it, rounding one input makes the result anything at all (a pole): a hunt does not report it";
  if (!is_above_threshold(output, settings))
    return below_threshold_words(settings);
  if (!output.is_certain())
    return "the reference is not known well enough to say that it is wrong";
  if (output.absolute < numeric::smallest_normal(target.outputs[output.output].type.format))
    return "wrong by less than the smallest normal number: an underflow";
  return "the exact result is too small to count (--nonzero)";
}

// The flags worth mentioning: underflow alone is mostly harmless.
std::string flag_words(uint32_t flags) {
  std::vector<std::string_view> raised;
  for (const ops::Exception kind : ops::all_exceptions)
    if (info(model::kind_of(kind)).level != "note" && (flags & flag_of(kind)))
      raised.push_back(ops::name(kind));
  return fmt::format("{}", fmt::join(raised, ", "));
}

class Explainer {
public:
  Explainer(exec::Session& session, Judge& judge, const Settings& settings, const exec::Input& input, const Tell& tell)
      : session_(session), judge_(judge), settings_(settings), input_(input), tell_(tell), run_(session.run(input)),
        tape_(*run_, session.sites(), input.size()), space_(space_of(session.target(), settings)),
        everyday_(search::everyday_part(space_)), deadline_(settings.budget_seconds),
        trial_(session, settings, judge, space_, everyday_, &deadline_) {}

  void explain() {
    const exec::Run& run = *run_;
    tell(SentenceRole::outcome, exec::end_words(run.outcome, run.ending));
    refused_ = refusal_words(run);
    if (!refused_.empty())
      tell(SentenceRole::note, "the code refuses this input: " + refused_);
    if (run.outcome == exec::Outcome::returned)
      judge_result();
    else if (run.outcome == exec::Outcome::tape_full)
      judge_untaped();
    else
      judge_end();
    if (ended_by_choice(run.outcome))
      judge_exceptions();
  }

  void tell_rows(size_t most) {
    tell_operations(session_, input_, *run_, {*analysis_, judged_, outgrown_, most}, tell_);
  }

private:
  void tell(FindingRole role, const Finding& finding) { tell_(FindingMessage{role, finding}); }
  void tell(SentenceRole role, std::string_view text) { tell_(Sentence{role, std::string(text)}); }

  const Judgement& judgement() const { return analysis_->judgement(); }
  std::vector<Finding> errors(const tape::Tape& tape);
  void diagnose(Finding& finding, const tape::Tape& tape);
  void judge_result();
  void judge_untaped();
  void judge_end();
  void judge_exceptions();
  void tell_result(const tape::Tape& tape, const std::vector<Finding>& findings);
  void tell_unknown(const exec::Run& run, const std::string& why);
  void tell_origin(const tape::Tape& tape, const std::vector<Finding>& exceptions);
  void tell_other_decision(const tape::Tape& tape, bool accurate);
  const OutputJudgement* worst() const;
  std::string disbelief(const OutputJudgement& output, bool accurate);

  exec::Session& session_;
  Judge& judge_;
  const Settings& settings_;
  const exec::Input& input_;
  const Tell& tell_;
  const exec::KeptRun run_; // of the input; the judge makes others
  const tape::Tape tape_;   // of this run
  std::shared_ptr<Analysis> analysis_ = std::make_shared<Analysis>(Judgement());
  bool outgrown_ = false;
  std::string refused_; // the handler; empty: not refused
  uint32_t judged_ = 0; // the record of the judged output
  search::Space space_, everyday_;
  Deadline deadline_;
  RemedyTrial trial_;
};

void Explainer::diagnose(Finding& finding, const tape::Tape& tape) {
  trial_.choose(finding, add_diagnosis(finding, tape, session_.target(), *analysis_));
}

std::vector<Finding> Explainer::errors(const tape::Tape& tape) {
  std::vector<Finding> findings;
  if (!refused_.empty())
    return findings;
  for (auto& [finding, analysis] : judge_.errors(input_, tape, analysis_, given_strategy))
    findings.push_back(std::move(finding));
  return findings;
}

void Explainer::judge_result() {
  if (judge_.outputs().empty()) {
    tell(SentenceRole::unknown, "unknown: none of the outputs named with --output");
    return;
  }
  analysis_ = std::make_shared<Analysis>(judge_.judge(input_, tape_));
  std::vector<Finding> findings = errors(tape_);
  for (Finding& finding : findings) {
    diagnose(finding, tape_);
    tell(FindingRole::found, finding);
  }
  const OutputJudgement* worst = this->worst();
  if (!worst) {
    tell_unknown(*run_, findings.empty() ? judgement().why_unknown : "");
    return;
  }
  const bool accurate = !(worst->ulps > accurate_ulps);
  const bool doubtful = accurate && !judge_.sees_everything();
  if (const std::string elsewhere = doubtful ? made_elsewhere(session_, input_, judge_.outputs()) : "";
      !elsewhere.empty()) {
    tell_unknown(*run_, elsewhere);
    return;
  }
  if (const std::string why = findings.empty() ? disbelief(*worst, accurate) : ""; !why.empty()) {
    tell_unknown(*run_, why);
    return;
  }
  tell_result(tape_, findings);
  if (findings.empty() && tape_.size() > largest_explained)
    tell(SentenceRole::note, too_long_words());
  if (std::ranges::none_of(findings, [](const Finding& finding) { return finding.kind == Kind::branch_flip; }))
    tell_other_decision(tape_, accurate);
}

// Says why a reference proves nothing: the other reference contradicts it, or it has the digits of rounded constants.
std::string Explainer::disbelief(const OutputJudgement& output, bool accurate) {
  if (std::string why = judge_.contradiction(tape_, *analysis_, output); !why.empty())
    return why;
  if (!accurate || judge_.sees_everything() || settings_.oracle != OracleName::lifted || output.unset ||
      tape_.size() > largest_explained || !std::isfinite(output.computed) || output.computed == 0)
    return {};
  const int digits = numeric::info(session_.target().outputs[output.output].type.format).precision;
  const MeasuredRun run{input_, tape_, output, judgement().precision};
  const double change = change_by_constants(session_, space_, run, settings_.seed);
  if (!(change > std::ldexp(1.0, -(digits / 2))))
    return {};
  return fmt::format("the result follows the rounded constants of the code: if they move by half an ulp, it changes by "
                     "{:.2g} of its size",
                     change);
}

// The largest relative error; where all are small, the most ulps.
const OutputJudgement* Explainer::worst() const {
  const OutputJudgement* worst = judge_.worst(judgement());
  if (worst && !(worst->ulps > accurate_ulps))
    for (const OutputJudgement& output : judgement().outputs)
      if (output.ulps > worst->ulps)
        worst = &output;
  return worst;
}

void Explainer::tell_result(const tape::Tape& tape, const std::vector<Finding>& findings) {
  const OutputJudgement& worst = *this->worst();
  judged_ = tape.outputs()[worst.output].record;
  Finding described = judge_.describe(input_, tape, *analysis_, worst);
  tell(FindingRole::judged, described);
  const bool has_error = std::ranges::any_of(findings, [](const Finding& finding) { return is_error(finding.kind); });
  if (has_error || !(worst.ulps > accurate_ulps) || !std::isfinite(worst.computed) || !worst.reference.is_finite() ||
      described.kind == Kind::underflow)
    return;
  diagnose(described, tape);
  described.detail = !refused_.empty() ? "the code refuses this input: " + refused_
                                       : why_uncounted(worst, judge_, settings_, session_.target());
  tell(FindingRole::uncounted, described);
}

void Explainer::tell_unknown(const exec::Run& run, const std::string& why) {
  Finding computed;
  if (!judge_.outputs().empty()) {
    const model::Cell& cell = session_.target().outputs[judge_.outputs().front()];
    computed.output = Output{cell.name, number_of(run.outputs[judge_.outputs().front()].value, cell.type), {}};
    tell(FindingRole::judged, computed);
  }
  if (!why.empty())
    tell(SentenceRole::unknown, "unknown: " + why);
}

// Reports a decision that exact arithmetic makes differently if it is not the source of the error.
void Explainer::tell_other_decision(const tape::Tape& tape, bool accurate) {
  if (!judgement().flip || tape.size() > largest_explained)
    return;
  const Diagnosis diagnosis = diagnose_flip(tape, *judgement().flip, *analysis_);
  tell(SentenceRole::note, fmt::format("at {}, {}{}", place_of(tape.site(judgement().flip->branch.record)),
                                       diagnosis.why, accurate ? "; the result is right all the same" : ""));
}

void Explainer::judge_untaped() {
  outgrown_ = true;
  const exec::KeptRun kept(session_.run_native(input_));
  const exec::Run& run = *kept;
  tell(SentenceRole::outcome, exec::end_words(run.outcome, run.ending));
  if (run.outcome != exec::Outcome::returned)
    return tell_end(run, input_, judge_, tell_);
  if (const std::string flags = flag_words(run.flags); !flags.empty())
    tell(SentenceRole::note, fmt::format("the hardware's flags report {}; the operation is not known", flags));
  const tape::Tape tape(run, session_.sites(), input_.size());
  if (judge_.oracle() == OracleName::replay || judge_.oracle() == OracleName::none) {
    tell(SentenceRole::note, too_long_words());
    tell_unknown(run, "without all operations only --oracle lifted and a --reference can judge");
    return;
  }
  analysis_ = std::make_shared<Analysis>(judge_.judge(input_, tape));
  if (!judge_.worst(judgement())) {
    tell(SentenceRole::note, too_long_words());
    tell_unknown(run, judgement().why_unknown);
    return;
  }
  std::vector<Finding> findings = errors(tape);
  for (Finding& finding : findings) {
    finding.detail += (finding.detail.empty() ? "" : "; ") + too_long_words();
    tell(FindingRole::found, finding);
  }
  tell_result(tape, findings);
  if (findings.empty())
    tell(SentenceRole::note, too_long_words());
}

void Explainer::judge_end() {
  tell_end(*run_, input_, judge_, tell_);
  tell_last_operation(tape_, tell_);
}

// Judges all exceptions of the run, in the order of execution.
void Explainer::judge_exceptions() {
  const Locations locations(session_.sites());
  const CallerNotice notice(session_.target(), settings_);
  ExceptionJudge exceptions(session_, settings_, judge_, locations, notice);
  std::vector<ConfirmedException> confirmed = exceptions.confirmed(input_);
  std::ranges::sort(confirmed, {}, [](const ConfirmedException& one) { return one.shown.record; });
  Suspect suspect{input_, {}};
  for (const ConfirmedException& one : confirmed)
    suspect.suspicions.push_back({one.shown.location, one.shown.kind});
  std::vector<Finding> findings = exceptions.findings(suspect, given_strategy);
  for (Finding& finding : findings) {
    diagnose(finding, tape_);
    tell(FindingRole::found, finding);
  }
  tell_origin(tape_, findings);
}

// Reports where an infinite or NaN output that should be a number begins, if not with an exception: 1 - p is 1, so its
// logarithm is 0, and a division by that follows.
void Explainer::tell_origin(const tape::Tape& tape, const std::vector<Finding>& exceptions) {
  const OutputJudgement* worst = this->worst();
  if (!worst || std::isfinite(worst->computed) || !worst->reference.is_finite() ||
      std::ranges::any_of(exceptions, [](const Finding& finding) { return finding.diagnosis.has_value(); }))
    return;
  const Finding described = judge_.describe(input_, tape, *analysis_, *worst);
  const std::optional<DiagnosisWithRemedies> diagnosed =
      diagnosis_of(tape, session_.target(), *analysis_, *worst, described);
  if (!diagnosed || diagnosed->diagnosis.chain.empty())
    return;
  const ChainLink& first = diagnosed->diagnosis.chain.front();
  tell(SentenceRole::note, fmt::format("the error of {} begins at {}:{}:{}, {}; {}", described.output->name, first.file,
                                       first.line, first.column, first.text, diagnosed->diagnosis.why));
}

} // namespace

void examine(exec::Session& session, Judge& judge, const ExamineTask& task, const Tell& tell) {
  Examination examination(session, judge);
  for (const auto& [input, finding] : task.findings)
    tell(examination.of(input, finding));
}

void explain(exec::Session& session, Judge& judge, const Settings& settings, const ExplainTask& task,
             const Tell& tell) {
  Explainer explainer(session, judge, settings, task.input, tell);
  explainer.explain();
  explainer.tell_rows(task.most_rows);
}

} // namespace faultline::judge
