#include "judge/diagnosis/shown_fault.h"

#include "explain/fault.h"
#include "numeric/stable_sort.h"

#include <algorithm>

namespace faultline::judge {

using finding::Finding;
using oracle::OutputJudgement;

namespace {

constexpr size_t most_outputs = 4; // each is explained by itself

std::vector<const OutputJudgement*> wrong_most(const Judge& judge, const oracle::Judgement& judgement) {
  std::vector<const OutputJudgement*> wrong;
  for (const OutputJudgement& output : judgement.outputs)
    if (judge.is_measurable(output))
      wrong.push_back(&output);
  numeric::sort_stably(wrong, std::ranges::greater(), &OutputJudgement::relative);
  wrong.resize(std::min(wrong.size(), most_outputs));
  return wrong;
}

ops::Fault fault_of(const Finding& described, const tape::Tape& tape, Analysis& analysis, uint32_t record) {
  if (described.parts && described.parts->is_wrong_method())
    return ops::Fault::wrong_method;
  if (described.diagnosis)
    return described.diagnosis->fault;
  if (!described.cause || described.kind != finding::Kind::inaccuracy)
    return ops::Fault::unclassified;
  return explain::classify(tape, analysis.error_path(tape, record), analysis.blame(tape, record), analysis.exact(tape))
      .fault;
}

} // namespace

std::vector<ShownFault> shown_faults(exec::Session& session, Judge& judge, const exec::Input& input) {
  const exec::Run run = session.run(input);
  if (run.outcome != exec::Outcome::returned || run.refused_at)
    return {};
  const tape::Tape tape(run, session.sites(), input.size());
  const auto analysis = std::make_shared<Analysis>(judge.judge(input, tape));
  if (analysis->judgement().certainty != oracle::Certainty::known) // a sample is no candidate: not told as unknown
    return {};
  std::vector<ShownFault> faults;
  for (const OutputJudgement* output : wrong_most(judge, analysis->judgement())) {
    const Finding described = judge.describe(input, tape, *analysis, *output);
    faults.push_back({described.kind, described.cause.value_or(finding::Cause()),
                      fault_of(described, tape, *analysis, tape.outputs()[output->output].record), output->relative,
                      output->absolute});
  }
  // The last: other inputs may be run for it.
  return judge.errors(input, tape, analysis, "").empty() ? std::vector<ShownFault>() : faults;
}

bool is_of(const ShownFault& shown, const Finding& finding) {
  const finding::Cause cause = finding.cause.value_or(finding::Cause());
  return shown.kind == finding.kind && shown.cause.file == cause.file && shown.cause.line == cause.line &&
         (finding.diagnosis ? shown.fault == finding.diagnosis->fault : shown.cause.operation == cause.operation);
}

} // namespace faultline::judge
