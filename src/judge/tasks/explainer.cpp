#include "judge/tasks/explainer.h"

#include "finding/explanation.h"
#include "judge/diagnosis/completion.h"
#include "judge/diagnosis/diagnose.h"
#include "judge/diagnosis/operation_text.h"
#include "judge/endings.h"
#include "judge/exceptions/exceptions.h"
#include "judge/number.h"
#include "judge/origins.h"
#include "judge/space_of_target.h"
#include "judge/tasks/end_told.h"
#include "judge/tasks/operations_told.h"
#include "judge/tasks/uncounted.h"
#include "numeric/ulp.h"
#include "oracle/lifted.h"
#include "search/everyday.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::judge {

using finding::accurate_ulps;
using finding::ChainLink;
using finding::Diagnosis;
using finding::Finding;
using finding::FindingMessage;
using finding::FindingRole;
using finding::Kind;
using finding::OracleName;
using finding::Output;
using finding::Sentence;
using finding::SentenceRole;
using finding::Settings;

using oracle::Judgement;
using oracle::OutputJudgement;

namespace {

// The exceptions that deserve a look: underflow alone is mostly harmless.
std::string flag_words(uint32_t flags) {
  std::vector<std::string_view> raised;
  for (const ops::Exception kind : ops::all_exceptions)
    if (info(finding::kind_of(kind)).level != "note" && (flags & flag_of(kind)))
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

  exec::Session& session_;
  Judge& judge_;
  const Settings& settings_;
  const exec::Input& input_;
  const Tell& tell_;
  const exec::KeptRun run_; // of the input; the judge makes others
  const tape::Tape tape_;   // of it
  std::shared_ptr<Analysis> analysis_ = std::make_shared<Analysis>(Judgement());
  bool outgrown_ = false;
  std::string refused_; // by whom; empty: it was not
  uint32_t judged_ = 0; // the record of the output that was
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
  tell_result(tape_, findings);
  if (findings.empty() && tape_.size() > largest_explained)
    tell(SentenceRole::note, too_long_words());
  if (std::ranges::none_of(findings, [](const Finding& finding) { return finding.kind == Kind::branch_flip; }))
    tell_other_decision(tape_, accurate);
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
  const bool told = std::ranges::any_of(findings, [](const Finding& finding) { return is_error(finding.kind); });
  if (told || !(worst.ulps > accurate_ulps) || !std::isfinite(worst.computed) || !worst.reference.is_finite() ||
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
    const frontend::Cell& cell = session_.target().outputs[judge_.outputs().front()];
    computed.output = Output{cell.name, number_of(run.outputs[judge_.outputs().front()].value, cell.type), {}};
    tell(FindingRole::judged, computed);
  }
  if (!why.empty())
    tell(SentenceRole::unknown, "unknown: " + why);
}

// A decision that exact arithmetic makes differently, where that is not what the error comes from.
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
    tell(SentenceRole::note, fmt::format("the hardware's flags say {}; at which operation is not known", flags));
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

// All that the run raises, in the order of execution.
void Explainer::judge_exceptions() {
  const Locations locations(session_.sites());
  const CallerNotice notice(session_.target(), settings_);
  ExceptionJudge exceptions(session_, settings_, judge_, locations, notice);
  std::vector<Confirmed> confirmed = exceptions.confirmed(input_);
  std::ranges::sort(confirmed, {}, [](const Confirmed& one) { return one.shown.record; });
  Suspect suspect{input_, {}};
  for (const Confirmed& one : confirmed)
    suspect.suspicions.push_back({one.shown.location, one.shown.kind});
  std::vector<Finding> findings = exceptions.findings(suspect, given_strategy);
  for (Finding& finding : findings) {
    diagnose(finding, tape_);
    tell(FindingRole::found, finding);
  }
  tell_origin(tape_, findings);
}

// An output is an infinity or NaN and should be a number: where that begins, if it is not with an exception (1 - p is
// 1, so its logarithm is 0, and somebody divides by that).
void Explainer::tell_origin(const tape::Tape& tape, const std::vector<Finding>& exceptions) {
  const OutputJudgement* worst = this->worst();
  if (!worst || std::isfinite(worst->computed) || !worst->reference.is_finite() ||
      std::ranges::any_of(exceptions, [](const Finding& finding) { return finding.diagnosis.has_value(); }))
    return;
  const Finding described = judge_.describe(input_, tape, *analysis_, *worst);
  const std::optional<Diagnosed> diagnosed = diagnosis_of(tape, session_.target(), *analysis_, *worst, described);
  if (!diagnosed || diagnosed->diagnosis.chain.empty())
    return;
  const ChainLink& first = diagnosed->diagnosis.chain.front();
  tell(SentenceRole::note, fmt::format("the error of {} begins at {}:{}:{}, {}; {}", described.output->name, first.file,
                                       first.line, first.column, first.text, diagnosed->diagnosis.why));
}

} // namespace

void explain(exec::Session& session, Judge& judge, const Settings& settings, const finding::ExplainTask& task,
             const Tell& tell) {
  Explainer explainer(session, judge, settings, task.input, tell);
  explainer.explain();
  explainer.tell_rows(task.most_rows);
}

} // namespace faultline::judge
