#include "judge/diagnosis/completion.h"

#include "judge/diagnosis/diagnose.h"

#include <algorithm>

namespace faultline::judge {

using finding::Diagnosis;
using finding::Finding;
using finding::Kind;
using finding::Verdict;
using finding::Witness;

std::optional<Diagnosis> diagnosis_of(const tape::Tape& tape, const frontend::Target& target, Analysis& analysis,
                                      const oracle::OutputJudgement& output, const Finding& finding) {
  const uint32_t record = tape.outputs()[output.output].record;
  if (tape.size() > largest_explained)
    return std::nullopt;
  const auto& flip = analysis.judgement().flip;
  const bool flipped = finding.kind == Kind::branch_flip && flip;
  if (!flipped && (record == 0 || !finding.cause))
    return std::nullopt;
  if (flipped)
    return diagnose_flip(tape, *flip, analysis);
  return diagnose(tape, target, analysis,
                  {record, output.reference, output.relative, finding.verdict != Verdict::ill_conditioned});
}

namespace {

// An exception that could be avoided, and spoils the output.
bool is_worth_it(const Finding& finding) {
  return is_error(finding.kind) || (finding.aftermath && finding.counts() && finding.aftermath->reaches_output &&
                                    finding.verdict == Verdict::avoidable);
}

// Does the error of the output begin with the exception?
bool begins_there(const Diagnosis& diagnosis, const Finding& exception) {
  return !diagnosis.chain.empty() && is_at(diagnosis.chain.front(), exception.cause);
}

} // namespace

void add_diagnosis(Finding& finding, const tape::Tape& tape, const frontend::Target& target, Analysis& analysis) {
  if (!is_worth_it(finding) || !finding.output)
    return;
  for (const oracle::OutputJudgement& output : analysis.judgement().outputs)
    if (target.outputs[output.output].name == finding.output->name)
      finding.diagnosis = diagnosis_of(tape, target, analysis, output, finding);
  if (!is_error(finding.kind) && finding.diagnosis && !begins_there(*finding.diagnosis, finding))
    finding.diagnosis.reset();
}

// The simpler input; or, if its error is even larger, it becomes the finding.
void Completion::simplify(Found& found) {
  Finding& finding = found.finding;
  const exec::Run run = session_.run(finding.values);
  if (run.outcome != exec::Outcome::returned)
    return;
  std::optional<Found> shown = simplifier_.simplest(finding, run.records.size());
  if (!shown)
    return;
  Finding& simpler = shown->finding;
  if (!(simpler.error->relative > finding.error->relative)) {
    finding.simplest =
        Witness{simpler.input, simpler.output->computed, simpler.error->relative, simpler.error->absolute};
    return;
  }
  simpler.also = std::move(finding.also);
  simpler.also.insert(simpler.also.begin(), Witness{finding.input, finding.output->computed, finding.error->relative,
                                                    finding.error->absolute});
  simpler.merged = finding.merged + 1;
  simpler.avoidable_at = std::move(finding.avoidable_at);
  if (simpler.verdict != Verdict::avoidable && finding.verdict == Verdict::avoidable) {
    if (!simpler.avoidable_at)
      simpler.avoidable_at = simpler.also.front();
    simpler.verdict = Verdict::avoidable;
  } else if (simpler.verdict == Verdict::avoidable) {
    simpler.avoidable_at.reset();
  }
  simpler.id = identify(session_.target().function, simpler);
  found = std::move(*shown);
}

void Completion::finish(Finding& finding, std::shared_ptr<Analysis> analysis) {
  if (!is_worth_it(finding) || session_.asked_to_stop())
    return;
  Found found{std::move(finding), std::move(analysis)};
  if (is_error(found.finding.kind) && found.finding.error && found.finding.output)
    simplify(found);
  finding = std::move(found.finding);
  const exec::Run run = session_.run(finding.values);
  if (run.outcome != exec::Outcome::returned)
    return;
  const tape::Tape tape(run, session_.sites(), finding.values.size());
  if (!found.analysis)
    found.analysis = std::make_shared<Analysis>(judge_.judge(finding.values, tape));
  add_diagnosis(finding, tape, session_.target(), *found.analysis);
}

} // namespace faultline::judge
