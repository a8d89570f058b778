// An input that is easier to read and to type than the worst one, and shows the same thing: an error at least half as
// large, from the same cause. Fewest inputs that are neither 0 nor 1, no signs, few decimal digits.
//
// Every attempt is run and judged. How many there are depends on the length of the runs and not on the clock, so that
// the same hunt has the same simplest inputs.
#pragma once

#include "finding/finding.h"
#include "judge/judge.h"
#include "search/space.h"

#include <optional>

namespace faultline::judge {

class Simplifier {
public:
  Simplifier(Judge& judge, const search::Space& space) : judge_(judge), space_(space) {}

  // Nothing, if no attempt is simpler. `records` is the length of a run.
  std::optional<Found> simplest(const finding::Finding& finding, uint64_t records);

private:
  bool shows(const exec::Input& candidate);
  void to_defaults(exec::Input& input);
  void to_positive(exec::Input& input);
  void to_few_digits(exec::Input& input);
  bool try_value(exec::Input& input, size_t cell, long double value);
  bool is_free(size_t cell) const { return !space_.dimensions[cell].held(); }

  Judge& judge_;
  const search::Space& space_;
  const finding::Finding* wanted_ = nullptr;
  Found shown_;                     // at the simplest input so far
  uint64_t attempts_ = 0;           // left, for this finding
  uint64_t allowance_ = 40'000'000; // records, for all findings
};

} // namespace faultline::judge
