// What the evaluation of compiled terms is made of: which kernel computes a term, and the predicates on doubles that
// hold values of the machine's formats. Inline, for they run all the time.
#pragma once

#include "ops/order.h"
#include "ops/table.h"
#include "solve/newton/compiled.h"

#include <bit>
#include <cmath>
#include <limits>

namespace faultline::solve {

// `native`: term and operands are of the machine's formats; `single`: the term is of binary32.
Compiled::Kernel kernel_of(const constraint::Node& node, bool native, bool single);

inline bool holds(ops::Op comparison, double a, double b) { return ops::holds(comparison, ops::order_between(a, b)); }

// There is one NaN, and it is positive: copysign looks.
inline double plain(double value) { return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value; }

inline bool identical(double a, double b) {
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

inline bool is(constraint::Class tested, double a, bool single) {
  const double least = single ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min();
  switch (tested) {
  case constraint::Class::normal:
    return std::isfinite(a) && std::fabs(a) >= least;
  case constraint::Class::subnormal:
    return a != 0 && std::fabs(a) < least;
  case constraint::Class::zero:
    return a == 0;
  case constraint::Class::infinite:
    return std::isinf(a);
  case constraint::Class::nan:
    return std::isnan(a);
  case constraint::Class::negative:
    return !std::isnan(a) && std::signbit(a);
  case constraint::Class::positive:
    return !std::isnan(a) && !std::signbit(a);
  }
  return false;
}

} // namespace faultline::solve
