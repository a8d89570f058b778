// The remedy of a finding at other inputs: the curve that a plot draws beside the error there is.
#pragma once

#include "explain/change.h"
#include "finding/finding.h"
#include "judge/diagnosis/trial_condition.h"
#include "judge/judge.h"

#include <optional>

namespace faultline::judge {

class RemedyCurve {
public:
  // Finds the place of the remedy that the finding's diagnosis names; nothing if it has none, or it is not found again.
  static std::optional<RemedyCurve> of(exec::Session& session, Judge& judge, const finding::Finding& finding,
                                       const exec::Input& input, size_t output);

  // What the output of this run would be with the remedy; nothing if the code would not go the same way, or if that
  // takes too long. A run that does not come by the place, or for which the remedy is not meant, stays as it is.
  std::optional<long double> result(const tape::Tape& tape, const exec::Input& input, size_t output) const;

private:
  RemedyCurve(explain::Change change, std::optional<Bound> bound) : change_(std::move(change)), bound_(bound) {}

  explain::Change change_;
  std::optional<Bound> bound_; // for which it is meant
};

} // namespace faultline::judge
