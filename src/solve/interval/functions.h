// Functions of libm that go one way: where they are defined, and which way they go.
//
// The machine's functions are not correctly rounded, and need not be monotone. So a projection works with the correctly
// rounded function, which is, and allows the machine's to be `slack` floats away: glibc's manual lists no more than a
// few ulps for these in round-to-nearest on x86-64. A proof of infeasibility with such a function rests on that list.
#pragma once

#include "solve/interval/domain.h"

#include <optional>

namespace faultline::solve {

inline constexpr int slack = 8;

struct MonotoneFunction {
  ops::Op op;
  bool up;
  double low, high; // numbers come from here, both ends included; NaN from elsewhere
};

const MonotoneFunction* monotone_function(ops::Op op);

// One of libm that is rounded somehow: neither exact nor IEEE 754's.
bool is_inexact_function(ops::Op op);

} // namespace faultline::solve
