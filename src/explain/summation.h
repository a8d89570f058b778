// A compensated sum for a sum in a loop: s = s + t for many terms t. The rounding error of every addition (and of every
// product, if the terms are products) is accumulated and added at the end (Neumaier; Ogita, Rump and Oishi's Dot2).
#pragma once

#include "tape/replay.h"

#include <vector>

namespace faultline::explain {

// The sums computed at the place of this addition.
class Summation {
public:
  Summation(const tape::Tape& tape, uint32_t addition);

  // Requires at least three terms in a loop, since a formula may also have three.
  bool is_sum() const { return longest_ >= 3 && in_a_loop_; }
  bool of_products() const { return of_products_; }
  // Returns the compensated sum for the last addition of each sum.
  std::optional<numeric::Value> compensated(uint32_t record, std::span<const numeric::Value> values) const;

private:
  bool is_here(uint32_t operand) const; // a result of an addition at this place
  // Returns the operand with the sum so far; 0 if this addition is the first.
  uint32_t carried(uint32_t record) const;

  const tape::Tape& tape_;
  const tape::Site& site_;
  std::vector<bool> continued_; // by record: a later addition continues it
  size_t longest_ = 0;
  bool of_products_ = false, in_a_loop_ = false;
};

} // namespace faultline::explain
