// The oracle of meanings: the correct outputs by the mathematical definition of the function.
//
// Where a result is wrong, the code also runs in exact arithmetic (by the oracle without meanings), to separate the
// method's part of the error from that of rounding.
#pragma once

#include "judge/meaning/statements.h"
#include "model/finding.h"
#include "oracle/judgement.h"
#include "oracle/meaning/evaluation.h"
#include "tape/tape.h"

#include <functional>

namespace faultline::judge {

class MeaningJudge {
public:
  MeaningJudge(const model::Target& target, const model::Settings& settings)
      : target_(target), floor_(settings.floor), meanings_(meanings_of(target, settings)) {}

  bool empty() const { return meanings_.empty(); }
  // True if all of these outputs have a meaning.
  bool covers(const std::vector<size_t>& outputs) const;
  const OutputMeaning* of(size_t output) const;
  bool cut() const { return cut_; } // by the clock: another run may know a value that this one did not

  // `by_code`: the judgement without meanings. Used for outputs without a meaning, where its value cannot be computed,
  // and where the result is wrong.
  oracle::Judgement judge(const exec::Input& input, std::span<const exec::OutputValue> values,
                          const std::vector<size_t>& outputs, const std::function<oracle::Judgement()>& by_code) const;

  oracle::MeaningValue value(const OutputMeaning& meaning, std::span<const numeric::Value> input) const;

  // The largest change of the meaning's value when the inputs are rounded by half an ulp each; nothing if unknown.
  std::optional<numeric::BigFloat> doubt(const OutputMeaning& meaning, const exec::Input& input,
                                         const numeric::BigFloat& here) const;

private:
  oracle::OutputJudgement measured(size_t output, numeric::Value computed, const oracle::MeaningValue& value) const;

  const model::Target& target_;
  double floor_;
  std::vector<OutputMeaning> meanings_;
  mutable bool cut_ = false;
};

// The parts of an error by meaning.
std::optional<model::ErrorParts> parts_of(const oracle::OutputJudgement& output);

// Findings and diagnoses in which the method is at fault and not rounding.

// True if the code's value in exact arithmetic also differs from the meaning's, by more than the effect of rounding.
bool is_wrong_method(const oracle::OutputJudgement& output);

// Sets cause and verdict. The operation at fault is unknown: the cause is the function, at its first line. It is
// avoidable unless rounding the inputs changes the meaning's value as much.
void blame_method(model::Finding& finding, const model::Target& target, const MeaningJudge& judge,
                  const exec::Input& input, const oracle::OutputJudgement& output);

model::Diagnosis diagnose_method(const oracle::OutputJudgement& output);

} // namespace faultline::judge
