#include "numeric/ulp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace faultline::numeric {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

int spacing_exponent(long exponent, Format format) {
  const FormatInfo form = info(format);
  return static_cast<int>(std::clamp<long>(exponent, form.min_exponent, form.max_exponent)) - (form.precision - 1);
}

std::optional<double> error_of_special_values(Value computed, const BigFloat& reference) {
  if (std::isnan(computed) && reference.is_nan())
    return 0;
  if (std::isinf(computed) && reference.is_inf() && std::signbit(computed) == reference.is_negative())
    return 0;
  if (!std::isfinite(computed) || !reference.is_finite())
    return infinity;
  return std::nullopt;
}

// Correctly rounded to 64 bits, from the exact difference.
BigFloat difference(Value computed, const BigFloat& reference) {
  BigFloat value(computed, 64);
  mpfr_sub(value.raw(), value.raw(), reference.raw(), MPFR_RNDN);
  mpfr_abs(value.raw(), value.raw(), MPFR_RNDN);
  return value;
}

} // namespace

int ulp_exponent(Value x, Format format) {
  return spacing_exponent(x == 0 ? std::numeric_limits<int>::min() : std::ilogb(x), format);
}

Value ulp(Value x, Format format) {
  if (!std::isfinite(x))
    return std::fabs(x);
  return std::ldexp(1.0L, ulp_exponent(x, format));
}

Value smallest_normal(Format format) { return std::ldexp(1.0L, info(format).min_exponent); }

Value largest(Format format) {
  return std::ldexp(2 - std::ldexp(1.0L, 1 - info(format).precision), info(format).max_exponent);
}

double absolute_error(Value computed, const BigFloat& reference) {
  if (const auto special = error_of_special_values(computed, reference))
    return *special;
  return difference(computed, reference).to_double();
}

double relative_error(Value computed, const BigFloat& reference) {
  if (const auto special = error_of_special_values(computed, reference))
    return *special;
  if (reference.is_zero())
    return computed == 0 ? 0 : infinity;
  BigFloat error = difference(computed, reference);
  mpfr_div(error.raw(), error.raw(), reference.raw(), MPFR_RNDN);
  return std::fabs(error.to_double());
}

double ulp_error(Value computed, const BigFloat& reference, Format format) {
  if (const auto special = error_of_special_values(computed, reference))
    return *special;
  const long exponent =
      reference.is_zero() ? std::numeric_limits<int>::min() : static_cast<long>(mpfr_get_exp(reference.raw())) - 1;
  BigFloat error = difference(computed, reference);
  mpfr_mul_2si(error.raw(), error.raw(), -spacing_exponent(exponent, format), MPFR_RNDN);
  return error.to_double();
}

double bits_of_error(double ulps) { return std::log2(1 + ulps); }

} // namespace faultline::numeric
