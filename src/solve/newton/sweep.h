// Derivatives of a compiled program by a reverse sweep.
#pragma once

#include "solve/newton/compiled.h"

namespace faultline::solve {

class Sweep {
public:
  Sweep(const Compiled& compiled, const Compiled::Values& values)
      : compiled_(compiled), values_(values.number), adjoints_(compiled.size(), 0) {}

  // d (a - b) / d variables, into `result`. Operations that round to an integer have the derivative 1: that says where
  // to go, which 0 does not. Of a choice, the branch that is taken now.
  void gradient(Compiled::Slot a, Compiled::Slot b, std::vector<double>& result);

private:
  void spread(Compiled::Slot slot, std::vector<double>& result);

  const Compiled& compiled_;
  const std::vector<double>& values_;
  std::vector<double> adjoints_;
};

} // namespace faultline::solve
