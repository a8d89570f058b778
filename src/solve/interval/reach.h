// Where a condition begins to hold, in a range of order numbers: bisection that starts at a guess.
#pragma once

#include "solve/interval/domain.h"

namespace faultline::solve {

// The least value of the range for which the condition holds, if it holds for all above as well; high + 1 if it holds
// for none.
template <typename Condition>
Int128 least(const Range& range, Int128 guess, Condition holds) {
  if (holds(range.low))
    return range.low;
  if (range.single() || !holds(range.high))
    return range.high + 1;
  Int128 without = range.low, with = range.high; // does not hold, does
  // From the guess outwards in growing steps: a good guess is a few floats off.
  if (guess > without && guess < with) {
    Int128 step = 1;
    if (holds(guess)) {
      with = guess;
      while (with - step > without && holds(with - step)) {
        with -= step;
        step *= 4;
      }
      without = std::max(without, with - step);
    } else {
      without = guess;
      while (without + step < with && !holds(without + step)) {
        without += step;
        step *= 4;
      }
      with = std::min(with, without + step);
    }
  }
  while (with - without > 1) {
    const Int128 middle = without + (with - without) / 2;
    (holds(middle) ? with : without) = middle;
  }
  return with;
}

// The greatest value for which the condition holds, if it holds for all below as well; low - 1 if for none.
template <typename Condition>
Int128 greatest(const Range& range, Int128 guess, Condition holds) {
  const Range mirrored{-range.high, -range.low};
  return -least(mirrored, -guess, [&](Int128 value) { return holds(-value); });
}

} // namespace faultline::solve
