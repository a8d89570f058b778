#include "certificate/rounding_error.h"

#include "ops/libm_error.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace faultline::certificate {
namespace {

using numeric::Format;
using ops::Op;

constexpr int64_t grain_of_zero = int64_t(1) << 40; // beyond all exponents; no grain is above it

int64_t precision_of(Format format) { return numeric::info(format).precision; }
// Of the smallest number.
int64_t smallest_exponent(Format format) {
  return int64_t(numeric::info(format).min_exponent) - precision_of(format) + 1;
}

int64_t unit_exponent(const Real& magnitude, Format format) {
  if (magnitude.sign() == 0)
    return smallest_exponent(format);
  // Exponents of results that underflow may be the smallest integer: nothing is taken from those.
  return std::max(int64_t(magnitude.exponent()), int64_t(numeric::info(format).min_exponent)) - precision_of(format) +
         1;
}

// Of results up to this one: numbers that are rounded to a power of two, and are not larger, lie below it.
Real half_unit_up_to(const Real& magnitude, Format format) {
  if (magnitude.sign() == 0)
    return {};
  const int64_t unit = unit_exponent(magnitude, format) - int64_t(magnitude.is_power_of_two());
  return Real::power_of_two(std::max(unit, smallest_exponent(format)) - 1);
}

bool are_floats(const Real& magnitude, int64_t grain, Format format) {
  return grain >= smallest_exponent(format) &&
         (magnitude.sign() == 0 || arf_cmpabs_2exp_si(magnitude.raw(), grain + precision_of(format)) <= 0);
}

Grain finer(const Grain& a, const Grain& b) { return a && b ? Grain(std::min(*a, *b)) : std::nullopt; }
Grain coarser(const Grain& a, const Grain& b) { return a && b ? std::max(*a, *b) : a ? a : b; }
Grain product(const Grain& a, const Grain& b) {
  return a && b ? Grain(std::min(*a + *b, grain_of_zero)) : std::nullopt;
}

Grain grain_of_exact(Op op, std::span<const RoundedOperand> x) {
  switch (op) {
  case Op::fadd:
  case Op::fsub:
    return finer(x[0].grain, x[1].grain);
  case Op::fmul:
    return product(x[0].grain, x[1].grain);
  case Op::fma:
    return finer(product(x[0].grain, x[1].grain), x[2].grain);
  case Op::fptrunc:
    return x[0].grain;
  default:
    return {};
  }
}

// The exponent of a constant that is 2^k or -2^k.
std::optional<int64_t> shift_by(const RoundedOperand& operand) {
  const Real& number = operand.values->low;
  if (!operand.is_constant || !operand.values->is_single() || number.sign() == 0 || !number.is_power_of_two())
    return {};
  return number.exponent();
}

// By a power of two: digits are lost below the normal numbers alone.
Rounded scaled(const Grain& operand, int64_t shift, Format format) {
  const Grain grain = product(operand, shift);
  if (shift >= 0 || (grain && *grain >= smallest_exponent(format)))
    return {{}, coarser(grain, smallest_exponent(format))};
  return {Real::power_of_two(smallest_exponent(format) - 1), smallest_exponent(format)};
}

std::optional<int64_t> scaling(Op op, std::span<const RoundedOperand> x, size_t& scaled_operand) {
  scaled_operand = 0;
  if (op == Op::ldexp) // a whole number, or there would be no result
    return x[1].values->is_single() ? std::optional<int64_t>(arf_get_si(x[1].values->low.raw(), ARF_RND_DOWN))
                                    : std::nullopt;
  if (op == Op::fdiv) {
    const std::optional<int64_t> shift = shift_by(x[1]);
    return shift ? std::optional(-*shift) : std::nullopt;
  }
  if (op != Op::fmul)
    return {};
  if (const std::optional<int64_t> shift = shift_by(x[1]))
    return shift;
  scaled_operand = 1;
  return shift_by(x[0]);
}

// An operand is a float itself, so the nearest one is no farther away than the other operand is from 0.
Real error_of_sum(const Range& result, std::span<const RoundedOperand> x, Format format) {
  return std::min({half_unit_up_to(result.most(), format), x[0].values->most(), x[1].values->most()});
}

// Repeated squaring: the n-th power has n - 1 roundings in it, and one more where it is inverted in the end. Each
// multiplies by 1 + d, |d| <= u = 2^-p: together they are n u / (1 - n u) of the power at most. A power below the
// normal numbers has lost half of the smallest number in each of its products, of which a binary digit of n makes two
// at most, and was never made larger again. What is inverted must be a normal number.
std::optional<Real> error_of_powi(Format format, const Range& result, const Range& exponent, const Rounding& rounding) {
  const Real most_turns = exponent.most();
  const slong precision = precision_of(format);
  if (arf_cmpabs_2exp_si(most_turns.raw(), precision - 1) >= 0) // below it, it is an integer of ours, too
    return {};
  const slong turns = arf_get_si(most_turns.raw(), ARF_RND_UP);
  if (exponent.low.sign() < 0) {
    const Real least = result.least();
    if (least.sign() == 0 || result.most().exponent() > -numeric::info(format).min_exponent - 2 ||
        least.exponent() < 2 - numeric::info(format).max_exponent)
      return {};
  }
  Real share = Real::power_of_two(precision); // n u / (1 - n u) = n / (2^p - n)
  arf_sub_si(share.raw(), share.raw(), turns, ARF_PREC_EXACT, ARF_RND_DOWN);
  share = rounding.quotient_up(most_turns, share);
  Real lost = Real::power_of_two(smallest_exponent(format));
  arf_mul_ui(lost.raw(), lost.raw(), ulong(std::bit_width(ulong(turns)) + 1), ARF_PREC_EXACT, ARF_RND_UP);
  return rounding.sum_up(rounding.product_up(share, result.most()), lost);
}

// Of functions.
std::optional<Real> error_of_function(Op op, Format format, const Range& result, std::span<const RoundedOperand> x,
                                      const Rounding& rounding) {
  if (op == Op::powi)
    return error_of_powi(format, result, *x[1].values, rounding);
  const double units = ops::libm_ulps(op, format);
  if (!std::isfinite(units))
    return {};
  return rounding.product_up(Real(units), unit_at(result.most(), format));
}

} // namespace

Grain grain_of(const Real& number) {
  if (number.sign() == 0)
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

// The power of two below the smallest is a float, so what is rounded stays above it.
Grain grain_of_floats(const Range& values, Format format) { return unit_exponent(values.least(), format); }

std::optional<Rounded> rounding_error(Op op, Format format, const Range& result, std::span<const RoundedOperand> x,
                                      const Rounding& rounding) {
  const Grain of_floats = grain_of_floats(result, format);
  if (ops::has(op, ops::trait::exact)) { // one of its operands, or its negative
    const bool either = op == Op::fmin || op == Op::fmax;
    return Rounded{{}, coarser(of_floats, either ? finer(x[0].grain, x[1].grain) : x[0].grain)};
  }
  if (ops::rounding_of(op) != ops::Rounding::none)
    return Rounded{{}, coarser(0, of_floats)};
  size_t operand = 0;
  if (const std::optional<int64_t> shift = scaling(op, x, operand))
    return scaled(x[operand].grain, *shift, format);
  const Grain grain = grain_of_exact(op, x);
  if (grain && are_floats(result.most(), *grain, format))
    return Rounded{{}, coarser(grain, of_floats)};
  if (op == Op::fadd || op == Op::fsub)
    return Rounded{error_of_sum(result, x, format), coarser(grain, of_floats)};
  if (ops::is_basic(op) || op == Op::fma || op == Op::fptrunc)
    return Rounded{half_unit_up_to(result.most(), format), of_floats};
  const std::optional<Real> error = error_of_function(op, format, result, x, rounding);
  if (!error)
    return {};
  return Rounded{*error, grain_of_floats(rounding.widened(result, *error), format)};
}

Real half_unit_around(const Real& magnitude, Format format) {
  return Real::power_of_two(unit_exponent(magnitude, format) - 1);
}

Real unit_at(const Real& magnitude, Format format) { return Real::power_of_two(unit_exponent(magnitude, format)); }

Real largest(Format format) {
  const numeric::FormatInfo info = numeric::info(format);
  Real number = Real::power_of_two(info.precision);
  arf_sub_ui(number.raw(), number.raw(), 1, ARF_PREC_EXACT, ARF_RND_DOWN);
  arf_mul_2exp_si(number.raw(), number.raw(), info.max_exponent - info.precision + 1);
  return number;
}

bool is_float(const Real& number, Format format) {
  if (!number.is_finite())
    return arf_is_inf(number.raw());
  Real magnitude;
  arf_abs(magnitude.raw(), number.raw());
  return magnitude <= largest(format) && *grain_of(number) >= unit_exponent(magnitude, format);
}

Real float_above(const Real& number, Format format) {
  Real magnitude, next;
  arf_abs(magnitude.raw(), number.raw());
  int64_t unit = unit_exponent(magnitude, format);
  // Toward 0 the floats below a power of two are the nearer ones.
  if (number.sign() < 0 && magnitude.is_power_of_two())
    unit = std::max(unit - 1, smallest_exponent(format));
  arf_add(next.raw(), number.raw(), Real::power_of_two(unit).raw(), ARF_PREC_EXACT, ARF_RND_DOWN);
  return next;
}

} // namespace faultline::certificate
