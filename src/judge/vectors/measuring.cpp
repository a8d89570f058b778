#include "judge/vectors/measuring.h"

#include "exec/ending.h"
#include "numeric/settled.h"
#include "numeric/ulp.h"

#include <algorithm>
#include <limits>

namespace faultline::judge {

using finding::Measured;
using finding::MeasuredOutput;
using finding::OracleName;
using numeric::BigFloat;
using numeric::Format;
using oracle::OutputJudgement;

namespace {

// Outputs that a vector has at most: a table of vectors is read by people, and long arrays are not.
constexpr size_t most_outputs = 16;
// Where the first answer of the oracle leaves open to which side the reference is rounded. A value that is as close to
// the middle of two floats as this is taken for the middle itself.
constexpr long second_precision = 512;

long double rounded(BigFloat value, Format format) {
  value.round_to(format);
  return value.to_long_double();
}

class Measuring {
public:
  Measuring(exec::Session& session, Judge& judge) : session_(session), judge_(judge) {}

  Measured of(const exec::Input& input) {
    const exec::Run& run = session_.run(input);
    if (run.outcome == exec::Outcome::tape_full)
      return without_oracle(session_.run_native(input));
    Measured measured = without_oracle(run);
    if (!measured.ending.empty() || judge_.oracle() == OracleName::none)
      return measured;
    const tape::Tape tape(run, session_.sites(), input.size());
    const oracle::Judgement judgement = judge_.judge(input, tape);
    if (judgement.certainty != oracle::Certainty::known)
      return measured;
    bool settled = true;
    for (const OutputJudgement& judged : judgement.outputs)
      settled = settled && numeric::rounds_to_one(judged.reference, judged.good_bits,
                                                  session_.target().outputs[judged.output].type.format);
    add(measured, settled ? judgement : more_precise(input, judgement));
    return measured;
  }

private:
  Measured without_oracle(const exec::Run& run) const {
    if (run.outcome != exec::Outcome::returned)
      return {exec::end_words(run.outcome, run.ending), {}};
    Measured measured;
    for (const size_t output : judge_.outputs()) {
      if (measured.outputs.size() >= most_outputs || output >= run.outputs.size())
        break;
      if (!judge_.arrays().is_matched(output)) // its order is free: a value of its own says nothing
        measured.outputs.push_back(
            {output, run.outputs[output].value, {}, std::numeric_limits<double>::quiet_NaN(), ""});
    }
    return measured;
  }

  oracle::Judgement more_precise(const exec::Input& input, const oracle::Judgement& first) {
    const exec::Run& run = session_.run(input);
    const tape::Tape tape(run, session_.sites(), input.size());
    judge_.begin_at(second_precision);
    oracle::Judgement second = judge_.judge(input, tape);
    judge_.begin_at(oracle::first_precision);
    return second.certainty == oracle::Certainty::known ? second : first;
  }

  void add(Measured& measured, const oracle::Judgement& judgement) const {
    for (MeasuredOutput& output : measured.outputs) {
      const auto judged = std::ranges::find(judgement.outputs, output.output, &OutputJudgement::output);
      if (judged == judgement.outputs.end() || judged->unset)
        continue;
      const Format format = session_.target().outputs[output.output].type.format;
      // Of an array's element its own error counts, whatever the array's is measured by.
      output.ulps = numeric::ulp_error(output.computed, judged->reference, format);
      output.reference = rounded(judged->reference, format);
      output.reference_by = judged->by_meaning ? finding::by_meaning : std::string(finding::text(judge_.oracle()));
    }
  }

  exec::Session& session_;
  Judge& judge_;
};

} // namespace

void measure_inputs(exec::Session& session, Judge& judge, const finding::MeasureTask& task, const Tell& tell) {
  Measuring measuring(session, judge);
  for (const exec::Input& input : task.inputs)
    tell(measuring.of(input));
}

void run_inputs(exec::Session& session, const finding::RunTask& task, const Tell& tell) {
  for (size_t i = 0; i < task.inputs.size(); ++i) {
    const exec::Run& run = session.run_native(task.inputs[i]);
    finding::RunMessage message{
        i,  exec::end_words(run.outcome, run.ending), run.outcome == exec::Outcome::returned, {},
        {}, run.outcome == exec::Outcome::missing};
    for (const exec::OutputValue& output : run.outputs)
      message.outputs.push_back(output.value);
    tell(message);
  }
}

} // namespace faultline::judge
