#include "campaign/finishing.h"

#include "campaign/diagnose.h"
#include "numeric/decimal.h"
#include "oracle/lifted.h"

#include <algorithm>

namespace faultline::campaign {
namespace {

std::optional<exec::Input> input_of(const Finding& finding) {
  exec::Input input;
  for (const NamedNumber& number : finding.input) {
    const std::optional<long double> value = numeric::parse_long_double(number.value.hex);
    if (!value)
      return std::nullopt;
    input.push_back(*value);
  }
  return input;
}

} // namespace

std::optional<Diagnosis> diagnosis_of(const tape::Tape& tape, const frontend::Target& target,
                                      const oracle::Judgement& judgement, const oracle::OutputJudgement& output,
                                      const Finding& finding) {
  const uint32_t record = tape.outputs()[output.output].record;
  if (tape.size() > largest_explained)
    return std::nullopt;
  const bool flipped = finding.kind == Kind::branch_flip && judgement.flip;
  if (!flipped && (record == 0 || !finding.cause))
    return std::nullopt;
  const tape::Replay exact = tape::replay(tape, std::max(judgement.precision, 2 * oracle::first_precision));
  if (flipped)
    return diagnose_flip(tape, *judgement.flip, exact);
  return diagnose(tape, target, exact,
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

void add_diagnosis(Finding& finding, const tape::Tape& tape, const frontend::Target& target,
                   const oracle::Judgement& judgement) {
  if (!is_worth_it(finding) || !finding.output)
    return;
  for (const oracle::OutputJudgement& output : judgement.outputs)
    if (target.outputs[output.output].name == finding.output->name)
      finding.diagnosis = diagnosis_of(tape, target, judgement, output, finding);
  if (!is_error(finding.kind) && finding.diagnosis && !begins_there(*finding.diagnosis, finding))
    finding.diagnosis.reset();
}

// The simpler input; or, if its error is even larger, it becomes the finding.
void Finishing::simplify(Finding& finding, exec::Input& input) {
  const exec::Run run = session_.run(input);
  if (run.outcome != exec::Outcome::returned)
    return;
  std::optional<Finding> simpler = simplifier_.simplest(finding, input, run.records.size());
  if (!simpler)
    return;
  if (!(simpler->error->relative > finding.error->relative)) {
    finding.simplest =
        Witness{simpler->input, simpler->output->computed, simpler->error->relative, simpler->error->absolute};
    return;
  }
  simpler->also = std::move(finding.also);
  simpler->also.insert(simpler->also.begin(), Witness{finding.input, finding.output->computed, finding.error->relative,
                                                      finding.error->absolute});
  simpler->merged = finding.merged + 1;
  simpler->avoidable_at = std::move(finding.avoidable_at);
  if (simpler->verdict != Verdict::avoidable && finding.verdict == Verdict::avoidable) {
    if (!simpler->avoidable_at)
      simpler->avoidable_at = simpler->also.front();
    simpler->verdict = Verdict::avoidable;
  } else if (simpler->verdict == Verdict::avoidable) {
    simpler->avoidable_at.reset();
  }
  simpler->id = identify(session_.target().function, *simpler);
  finding = std::move(*simpler);
  input = *input_of(finding);
}

void Finishing::finish(Finding& finding) {
  std::optional<exec::Input> input = is_worth_it(finding) ? input_of(finding) : std::nullopt;
  if (!input || session_.asked_to_stop())
    return;
  if (is_error(finding.kind) && finding.error && finding.output)
    simplify(finding, *input);
  const exec::Run run = session_.run(*input);
  if (run.outcome != exec::Outcome::returned)
    return;
  const tape::Tape tape(run, session_.sites(), input->size());
  add_diagnosis(finding, tape, session_.target(), judge_.judge(*input, tape));
}

} // namespace faultline::campaign
