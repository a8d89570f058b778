#include "ops/rounding_error.h"

#include "ops/enclosures.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace faultline::ops {

using numeric::Format;
using numeric::Interval;
using numeric::Range;
using numeric::Real;

namespace {

template <class End> int64_t exponent_of_unit(const End& magnitude, Format format) {
  if (magnitude == 0)
    return smallest_exponent(format);
  // Exponents of results that underflow may be the smallest integer: avoid subtracting from them.
  const numeric::FormatInfo info = numeric::info(format);
  return std::max<int64_t>(numeric::exponent_of(magnitude), info.min_exponent) - info.precision + 1;
}

// Half a unit for results up to this one: numbers that round to a power of two, and are not larger, lie below it.
template <class T> typename T::End half_unit_up_to(const T& result, Format format) {
  const auto magnitude = result.magnitude();
  if (magnitude == 0)
    return 0;
  const int64_t unit = exponent_of_unit(magnitude, format) - int64_t(numeric::is_power_of_two(magnitude));
  return T::power_of_two(std::max(unit, smallest_exponent(format)) - 1);
}

template <class T> bool are_floats(const T& values, Grain grain, Format format) {
  return grain >= smallest_exponent(format) &&
         values.magnitude() <=
             T::power_of_two(std::min<int64_t>(grain + numeric::info(format).precision, grain_of_zero));
}

Grain product(Grain a, Grain b) { return a == no_grain || b == no_grain ? no_grain : std::min(a + b, grain_of_zero); }

template <class T> Grain grain_of_exact(Op op, std::span<const RoundedOperand<T>> x) {
  if (op == Op::fadd || op == Op::fsub)
    return std::min(x[0].grain, x[1].grain);
  if (op == Op::fmul)
    return product(x[0].grain, x[1].grain);
  if (op == Op::fma)
    return std::min(product(x[0].grain, x[1].grain), x[2].grain);
  return op == Op::fptrunc ? x[0].grain : no_grain;
}

// True for a constant that is 2^k or -2^k.
template <class T> bool is_power_of_two(const RoundedOperand<T>& operand) {
  return operand.is_constant && operand.values->single() && numeric::is_finite(operand.values->low) &&
         operand.values->low != 0 && numeric::is_power_of_two(operand.values->low);
}

// Scales by a power of two. Only results below the normal numbers lose digits.
template <class T> Rounded<T> scaled(Grain operand, int64_t shift, Format format) {
  const Grain grain = product(operand, shift), smallest = smallest_exponent(format);
  if (shift >= 0 || grain >= smallest)
    return {0, std::max(grain, smallest)};
  return {T::power_of_two(smallest - 1), smallest};
}

// An operand is a float itself, so the nearest float is no farther from the sum than the other operand is from 0.
template <class T> typename T::End error_of_sum(const T& result, std::span<const RoundedOperand<T>> x, Format format) {
  return std::min({half_unit_up_to(result, format), x[0].values->magnitude(), x[1].values->magnitude()});
}

// Repeated squaring, as in compiler-rt and LLVM's expansion of the intrinsic. A power of 2^k has 2^k - 1 roundings, and
// a product has those of its factors and one more. So the n-th power has n - 1 roundings, and its inverse n. Each is at
// most u = 2^-p relative, all together (1 + u)^n - 1 <= n u / (1 - n u).
//
// Powers of bases below 1 may fall below the normal numbers. There each product loses half of the smallest number s
// instead. No factor is above 1, so each binary digit of n adds at most s (a number squared again is then smaller than
// s). Inverses of such powers, or of powers beyond the range, have no bound.
template <class T> typename T::End error_of_powi(const T& exponent, const T& result, Format format) {
  using End = typename T::End;
  const End infinite = T::infinity();
  const numeric::FormatInfo info = numeric::info(format);
  const T turns = magnitudes(exponent).upper();
  if (!(turns.low < T::power_of_two(info.precision - 1)))
    return infinite;
  if (exponent.low < 0 && !(result.mignitude() >= T::power_of_two(2 - info.max_exponent) &&
                            result.magnitude() <= T::power_of_two(-2 - info.min_exponent)))
    return infinite;
  const T share = turns * T::of(T::power_of_two(-info.precision)), all = share / (T::of(1) - share);
  const auto digits = [](const auto& count) { return count == 0 ? 1 : numeric::exponent_of(count) + 2; };
  const T lost = T::of(double(digits(turns.low))) * T::of(T::power_of_two(smallest_exponent(format)));
  return (all.upper() * magnitudes(result).upper() + lost).high;
}

template <class T>
typename T::End error_of_function(Op op, Format format, const T& result, std::span<const RoundedOperand<T>> x) {
  if (op == Op::powi)
    return error_of_powi(*x[1].values, result, format);
  const double units = libm_ulps(op, format);
  if (!std::isfinite(units))
    return T::infinity();
  return (T::of(units) * T::of(T::power_of_two(exponent_of_unit(result.magnitude(), format)))).high;
}

} // namespace

int64_t smallest_exponent(Format format) {
  const numeric::FormatInfo info = numeric::info(format);
  return info.min_exponent - info.precision + 1;
}
int64_t unit_exponent(const Real& magnitude, Format format) { return exponent_of_unit(magnitude, format); }

Grain grain_of(double number) {
  if (number == 0)
    return grain_of_zero;
  int exponent = 0;
  const double fraction = std::frexp(number, &exponent);
  return exponent - 53 + std::countr_zero(uint64_t(std::ldexp(std::fabs(fraction), 53)));
}

Grain grain_of(const Real& number) {
  if (number == 0)
    return grain_of_zero;
  fmpz_t exponent, mantissa;
  fmpz_init(exponent);
  fmpz_init(mantissa);
  arf_get_fmpz_2exp(mantissa, exponent, number.raw()); // an odd integer, and the power of two that it is multiplied by
  const int64_t grain = fmpz_get_si(exponent);
  fmpz_clear(exponent);
  fmpz_clear(mantissa);
  return grain;
}

// The power of two below the smallest value is a float, so rounded values stay above it.
template <class T> Grain grain_of_floats(const T& values, Format format) {
  return exponent_of_unit(values.mignitude(), format);
}

template <class T> typename T::End half_unit_around(const T& values, Format format) {
  return T::power_of_two(exponent_of_unit(values.magnitude(), format) - 1);
}

template <class T> typename T::End unit_at(const T& values, Format format) {
  return T::power_of_two(exponent_of_unit(values.mignitude(), format));
}

template <class T>
Rounded<T> rounding_error(Op op, Format format, const T& result, std::span<const RoundedOperand<T>> x) {
  const Grain of_floats = grain_of_floats(result, format);
  if (has(op, trait::exact)) { // the result is an operand or its negative
    const bool either = op == Op::fmin || op == Op::fmax;
    return {0, std::max(of_floats, either ? std::min(x[0].grain, x[1].grain) : x[0].grain)};
  }
  if (rounding_of(op))
    return {0, std::max<Grain>(0, of_floats)};
  if (op == Op::ldexp) // the exponent is an integer, or there would be no result
    return scaled<T>(x[0].grain, numeric::integer_of(x[1].values->low), format);
  if (op == Op::fmul && is_power_of_two(x[1]))
    return scaled<T>(x[0].grain, numeric::exponent_of(x[1].values->low), format);
  if (op == Op::fmul && is_power_of_two(x[0]))
    return scaled<T>(x[1].grain, numeric::exponent_of(x[0].values->low), format);
  if (op == Op::fdiv && is_power_of_two(x[1]))
    return scaled<T>(x[0].grain, -numeric::exponent_of(x[1].values->low), format);
  const Grain grain = grain_of_exact(op, x);
  if (grain != no_grain && are_floats(result, grain, format))
    return {0, std::max(grain, of_floats)};
  if (op == Op::fadd || op == Op::fsub)
    return {error_of_sum(result, x, format), std::max(grain, of_floats)};
  if (is_basic(op) || op == Op::fma || op == Op::fptrunc || op == Op::fdim)
    return {half_unit_up_to(result, format), of_floats};
  const typename T::End error = error_of_function(op, format, result, x);
  // The results are floats near the exact ones.
  return {error, grain_of_floats(widened(result, error), format)};
}

#define FAULTLINE_ARITHMETIC_OF(T)                                                                                     \
  template Rounded<T> rounding_error(Op, Format, const T&, std::span<const RoundedOperand<T>>);                        \
  template Grain grain_of_floats(const T&, Format);                                                                    \
  template T::End half_unit_around(const T&, Format);                                                                  \
  template T::End unit_at(const T&, Format);
FAULTLINE_ARITHMETIC_OF(Interval)
FAULTLINE_ARITHMETIC_OF(Range)
#undef FAULTLINE_ARITHMETIC_OF

} // namespace faultline::ops
