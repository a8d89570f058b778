#include "judge/meaning/wrong_method.h"

#include <fmt/format.h>

namespace faultline::judge {

using finding::Verdict;
using oracle::OutputJudgement;

bool is_wrong_method(const OutputJudgement& output) {
  const std::optional<finding::ErrorParts> parts = parts_of(output);
  return parts && parts->is_wrong_method();
}

void blame_method(finding::Finding& finding, const frontend::Target& target, const MeaningJudge& judge,
                  const exec::Input& input, const OutputJudgement& output) {
  finding.cause = finding::Cause{target.file, target.line, 0, target.function, "", 0, 1};
  finding.diagnosis = diagnose_method(output); // now: it must not depend on the time that is left for others
  const OutputMeaning* meaning = judge.of(output.output);
  const std::optional<numeric::BigFloat> doubt =
      meaning ? judge.doubt(*meaning, input, output.reference) : std::nullopt;
  // As for rounding (explain/conditioning.cpp): a good algorithm perturbs its inputs by a few units, not by one half.
  constexpr double few = 8;
  finding.verdict = !doubt                                        ? Verdict::unknown
                    : output.absolute <= few * doubt->to_double() ? Verdict::ill_conditioned
                                                                  : Verdict::avoidable;
}

finding::Diagnosis diagnose_method(const OutputJudgement& output) {
  constexpr int digits = 6;
  finding::Diagnosis diagnosis;
  diagnosis.fault = finding::Fault::wrong_method;
  diagnosis.why = fmt::format("the formula, a constant or a branch is wrong: exact arithmetic does not give the "
                              "meaning's value either, but {}",
                              output.lifted->to_string(digits));
  diagnosis.accounted = 0; // of the error, by roundings
  return diagnosis;
}

} // namespace faultline::judge
