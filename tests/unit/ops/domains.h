// Where each operation can be sampled: random operands inside its domain, small enough for all three formats.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "numeric/random.h"
#include "ops/table.h"

namespace faultline::ops {

using Operands = std::array<double, 3>;

inline std::vector<Op> all_operations() {
  return {
#define FAULTLINE_OPERATION_LISTED(name, arity, traits) Op::name,
      FAULTLINE_OPERATIONS(FAULTLINE_OPERATION_LISTED)
#undef FAULTLINE_OPERATION_LISTED
  };
}

// Both signs, magnitudes from 2^-20 to 2^20; a float, so that it is the same operand in every format.
inline double sample_anything(numeric::Rng& rng) {
  const double magnitude = std::ldexp(1 + rng.uniform(), static_cast<int>(rng.below(40)) - 20);
  return static_cast<float>(rng.coin() ? magnitude : -magnitude);
}

inline double sample_between(numeric::Rng& rng, double low, double high) {
  return static_cast<float>(rng.uniform(low, high));
}

// Away from the integers and halves, where the operations that round to integers jump.
inline double sample_between_jumps(numeric::Rng& rng) {
  for (;;)
    if (const double x = sample_between(rng, -500, 500); 2 * x != std::floor(2 * x))
      return x;
}

inline Operands sample(Op op, numeric::Rng& rng) {
  const auto within = [&](double low, double high) { return Operands{sample_between(rng, low, high), 0, 0}; };
  switch (op) {
  case Op::sqrt:
  case Op::log:
  case Op::log2:
  case Op::log10:
    return {std::fabs(sample_anything(rng)), 0, 0};
  case Op::log1p:
    return within(-0.999, 20);
  case Op::exp:
  case Op::sinh:
  case Op::cosh:
  case Op::expm1:
    return within(-80, 80);
  case Op::exp2:
    return within(-120, 120);
  case Op::exp10:
    return within(-35, 35);
  case Op::tanh:
    return within(-8, 8);
  case Op::asin:
  case Op::acos:
  case Op::atanh:
    return within(-0.9999, 0.9999);
  case Op::acosh:
    return within(1.0001, 100);
  case Op::erf:
    return within(-3, 3);
  case Op::erfc:
    return within(-3, 8);
  case Op::erfcx:
    return within(-4, 10);
  case Op::j0: // near the zeros libm is off by many ulps
  case Op::j1:
    return within(-2, 2);
  case Op::y0:
    return within(1, 3);
  case Op::y1:
    return within(0.5, 2);
  case Op::jn:
    return {sample_between(rng, 0.5, 2), std::rint(rng.uniform(2, 5)), 0};
  case Op::yn:
    return {sample_between(rng, 0.5, 2), std::rint(rng.uniform(2, 5)), 0};
  case Op::tgamma:
    return within(-8, 30);
  case Op::lgamma:
    return within(-20, 100);
  case Op::pow:
    return {sample_between(rng, 0.01, 20), sample_between(rng, -15, 15), 0};
  case Op::floor:
  case Op::ceil:
  case Op::trunc:
  case Op::round:
  case Op::rint:
  case Op::roundeven:
  case Op::modf:
  case Op::to_int:
  case Op::to_int_rint:
  case Op::to_int_round:
    return {sample_between_jumps(rng), 0, 0};
  case Op::powi:
    return {sample_between(rng, -20, 20), std::rint(rng.uniform(-15, 15)), 0};
  case Op::ldexp:
    return {sample_anything(rng), std::rint(rng.uniform(-60, 60)), 0};
  default:
    if (is_complex_part(op))
      return {sample_between(rng, -4, 4), sample_between(rng, -4, 4), 0};
    return {sample_anything(rng), sample_anything(rng), sample_anything(rng)};
  }
}

} // namespace faultline::ops
