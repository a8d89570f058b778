// What no formula tells of one level: its terms at many floats of its variable, as the machine computes them.
//
// Between two samples at which a comparison differs, the float where it changes is found by bisection. So the set of a
// term that mixes unknowns (x * exp(x)), or that has no inverse here, is known as far as the samples show it.
#pragma once

#include "solve/real/budget.h"
#include "solve/real/levels.h"
#include "solve/real/real_set.h"

#include <optional>

namespace faultline::solve {

class Samples {
public:
  // The other levels' values are those of `values`. `frame`: where all samples need be; denser samples inside.
  Samples(const Levels& levels, size_t level, const std::vector<constraint::Bits>& values, const RealSet& frame,
          Budget& budget);

  // Where a comparison or a classification is true. Nothing if the budget ends.
  std::optional<RealSet> where(constraint::Term atom);

  // Floats at which all assertions of the level hold.
  std::vector<constraint::Bits> hits() const;

private:
  static constexpr int unordered = 2;

  void take(const RealSet& frame);
  int state(constraint::Term atom, const std::vector<constraint::Bits>& values) const;
  int state_at(constraint::Term atom, numeric::Int128 order);
  bool wanted(constraint::Term atom, int state) const;

  const Levels& levels_;
  size_t level_;
  numeric::BinaryFormat format_;
  std::vector<constraint::Bits> values_;
  Budget& budget_;
  uint64_t cost_; // of one evaluation
  std::vector<numeric::Int128> orders_;
  std::vector<std::vector<constraint::Bits>> taken_; // at each of these, the level's terms
};

} // namespace faultline::solve
