// The oracle of meanings: what the outputs should be, by the mathematics that the function stands for.
//
// Where a result is wrong, the code is carried out in exact arithmetic as well (by the oracle that judges without
// meanings), so that one can tell the method's part of the error from that of rounding.
#pragma once

#include "finding/finding.h"
#include "judge/meaning/statements.h"
#include "oracle/judgement.h"
#include "oracle/meaning/evaluation.h"
#include "tape/tape.h"

#include <functional>

namespace faultline::judge {

class MeaningJudge {
public:
  MeaningJudge(const frontend::Target& target, const finding::Settings& settings)
      : target_(target), floor_(settings.floor), meanings_(meanings_of(target, settings)) {}

  bool empty() const { return meanings_.empty(); }
  // Do all of these outputs have one?
  bool covers(const std::vector<size_t>& outputs) const;
  const OutputMeaning* of(size_t output) const;
  bool cut() const { return cut_; } // by the clock: another run may know a value that this one did not

  // `by_code`: the judgement without meanings. It is asked for outputs that have none, or whose value cannot be
  // computed, and where the result is wrong.
  oracle::Judgement judge(const exec::Input& input, std::span<const exec::OutputValue> values,
                          const std::vector<size_t>& outputs, const std::function<oracle::Judgement()>& by_code) const;

  oracle::MeaningValue value(const OutputMeaning& meaning, std::span<const long double> input) const;

  // How much the meaning's value moves at most when the inputs are rounded, by half an ulp each; nothing if that is not
  // known.
  std::optional<numeric::BigFloat> doubt(const OutputMeaning& meaning, const exec::Input& input,
                                         const numeric::BigFloat& here) const;

private:
  oracle::OutputJudgement measured(size_t output, long double computed, const oracle::MeaningValue& value) const;

  const frontend::Target& target_;
  double floor_;
  std::vector<OutputMeaning> meanings_;
  mutable bool cut_ = false;
};

// What is said of the parts of an error by meaning.
std::optional<finding::ErrorParts> parts_of(const oracle::OutputJudgement& output);

// Where the method is to blame and not rounding: what a finding and its diagnosis say.

// Does the code give another value than the meaning in exact arithmetic too, further off than rounding adds to it?
bool is_wrong_method(const oracle::OutputJudgement& output);

// Cause and verdict. The operation to blame is not known: the cause is the function, by its first line. It is
// avoidable, unless rounding the inputs changes the meaning's value as much.
void blame_method(finding::Finding& finding, const frontend::Target& target, const MeaningJudge& judge,
                  const exec::Input& input, const oracle::OutputJudgement& output);

finding::Diagnosis diagnose_method(const oracle::OutputJudgement& output);

} // namespace faultline::judge
