#include "bound/local_error.h"

#include "ops/libm_error.h"

#include <bit>
#include <cmath>

namespace faultline::bound {
namespace {

using numeric::Format;
using ops::Op;

// Doubles hold the units of x87's numbers as long as these are no smaller than doubles are.
double power_of_two(int exponent) { return std::ldexp(1.0, std::max(exponent, -1074)); }

int smallest_exponent(Format format) {
  const numeric::FormatInfo info = numeric::info(format);
  return info.min_exponent - info.precision + 1;
}

int unit_exponent(double magnitude, Format format) {
  const numeric::FormatInfo info = numeric::info(format);
  if (magnitude == 0)
    return smallest_exponent(format);
  return std::max(std::ilogb(magnitude) - info.precision + 1, smallest_exponent(format));
}

// Is every multiple of the grain up to this magnitude a float?
bool all_floats(double magnitude, int grain, Format format) {
  const int precision = numeric::info(format).precision;
  return grain >= smallest_exponent(format) && magnitude <= std::ldexp(1.0, std::clamp(grain + precision, -1074, 1023));
}

bool is_power_of_two(const RoundedOperand& operand) {
  int exponent = 0;
  return operand.constant && operand.values.single() && std::fabs(std::frexp(operand.values.low, &exponent)) == 0.5;
}

int exponent_of(const RoundedOperand& power) { return std::ilogb(power.values.low); }

// x * 2^k: exact, unless it falls below the normal numbers.
Rounded scaled(const RoundedOperand& operand, int exponent, Format format) {
  const int grain = operand.grain == no_grain ? no_grain : operand.grain + exponent;
  if (operand.grain != no_grain && grain >= smallest_exponent(format))
    return {0, grain};
  return {exponent >= 0 ? 0 : power_of_two(smallest_exponent(format) - 1), std::max(grain, smallest_exponent(format))};
}

// An operand is a float itself: the sum is no farther from the nearest float than the other is from 0.
double error_of_sum(const Interval& result, std::span<const RoundedOperand> operands, Format format) {
  return std::min(
      {half_unit(result.magnitude(), format), operands[0].values.magnitude(), operands[1].values.magnitude()});
}

int grain_of_exact(Op op, std::span<const RoundedOperand> operands) {
  const auto grain = [&](size_t i) { return operands[i].grain; };
  switch (op) {
  case Op::fadd:
  case Op::fsub:
    return std::min(grain(0), grain(1));
  case Op::fmul:
    return grain(0) == no_grain || grain(1) == no_grain ? no_grain : grain(0) + grain(1);
  case Op::fma:
    return grain(0) == no_grain || grain(1) == no_grain ? no_grain : std::min(grain(0) + grain(1), grain(2));
  case Op::fptrunc:
    return grain(0);
  default:
    return no_grain;
  }
}

// Repeated squaring, as compiler-rt and LLVM's own expansion of the intrinsic do it: a power of 2^k has 2^k - 1
// roundings in it, a product those of its factors and one more, so the n-th power has n - 1, and its inverse n. Each is
// by u = 2^-p of the number at most, all together by (1 + u)^n - 1 <= n u / (1 - n u) of it.
//
// Below the normal numbers, which the powers of bases below 1 may come to, each product loses half of the smallest
// number s instead. No factor is above 1 there, so at most s for each binary digit of n is added (what is squared again
// after that is smaller than s). Inverses of such powers, or of powers beyond the range, have no bound.
double powi_error(const RoundedOperand& exponent, const Interval& result, Format format) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const numeric::FormatInfo info = numeric::info(format);
  const double n = exponent.values.magnitude(), all = std::ldexp(n, -info.precision);
  if (!(all <= 0.5))
    return infinity;
  if (exponent.values.low < 0) {
    // As doubles have them: x87's range is wider than what `result` can be told in.
    const int lowest = std::max(info.min_exponent, -1022), highest = std::min(info.max_exponent, 1023);
    const double least = result.mignitude(), most = result.magnitude();
    if (!(least >= std::ldexp(1.0, 2 - highest) && most <= std::ldexp(1.0, -2 - lowest)))
      return infinity;
  }
  const double lost = product_up(double(std::bit_width(uint64_t(n)) + 1), power_of_two(smallest_exponent(format)));
  return sum_up(product_up(quotient_up(all, sum_down(1, -all)), result.magnitude()), lost);
}

} // namespace

int grain_of_constant(double value) {
  if (value == 0)
    return any_grain;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const auto bits = static_cast<uint64_t>(std::ldexp(std::fabs(fraction), 53));
  return exponent - 53 + std::countr_zero(bits);
}

int grain_of_floats(const Interval& values, Format format) { return unit_exponent(values.mignitude(), format); }

double half_unit(double magnitude, Format format) {
  if (magnitude == 0)
    return 0;
  if (!std::isfinite(magnitude))
    return std::numeric_limits<double>::infinity();
  int exponent = 0;
  const bool power = std::frexp(magnitude, &exponent) == 0.5;
  const int unit = std::max(unit_exponent(magnitude, format) - int(power), smallest_exponent(format));
  return power_of_two(unit - 1);
}

double half_unit_around(double magnitude, Format format) { return power_of_two(unit_exponent(magnitude, format) - 1); }

double unit_at(double mignitude, Format format) { return power_of_two(unit_exponent(mignitude, format)); }

Rounded local_error(Op op, Format format, const Interval& result, std::span<const RoundedOperand> operands) {
  const int of_floats = grain_of_floats(result, format);
  if (ops::has(op, ops::trait::exact)) // one of its operands, or its negative
    return {0,
            std::max(of_floats, op == Op::fmin || op == Op::fmax || op == Op::copysign ? no_grain : operands[0].grain)};
  if (ops::rounding_of(op) != ops::Rounding::none)
    return {0, std::max(0, of_floats)};
  if (op == Op::ldexp)
    return scaled(operands[0], int(operands[1].values.low), format);
  if (op == Op::fmul && is_power_of_two(operands[1]))
    return scaled(operands[0], exponent_of(operands[1]), format);
  if (op == Op::fmul && is_power_of_two(operands[0]))
    return scaled(operands[1], exponent_of(operands[0]), format);
  if (op == Op::fdiv && is_power_of_two(operands[1]))
    return scaled(operands[0], -exponent_of(operands[1]), format);
  const int grain = grain_of_exact(op, operands);
  if (grain != no_grain && all_floats(result.magnitude(), grain, format))
    return {0, std::max(grain, of_floats)};
  if (op == Op::fadd || op == Op::fsub)
    return {error_of_sum(result, operands, format), std::max(grain, of_floats)};
  const double error = op == Op::powi ? powi_error(operands[1], result, format)
                       : ops::is_basic(op) || op == Op::fma || op == Op::fptrunc
                           ? half_unit(result.magnitude(), format)
                           : product_up(ops::libm_ulps(op, format), unit_at(result.magnitude(), format));
  // The results are floats, which are near the exact ones.
  return {error, grain_of_floats(widened(result, error), format)};
}

} // namespace faultline::bound
