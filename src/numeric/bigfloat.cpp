#include "numeric/bigfloat.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
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

// Formats "-12345" with the point `point` places from the left as -12.345, or as -1.2345e+30 where plain notation would
// need many zeros. MPFR's own formatting is not used because it follows the locale.
std::string lay_out(std::string_view digits, long point) {
  const std::string sign = digits.starts_with('-') ? "-" : "";
  digits.remove_prefix(sign.size());
  const long exponent = point - 1;
  const long widest = std::max<long>(16, static_cast<long>(digits.size()));
  while (digits.size() > 1 && digits.back() == '0')
    digits.remove_suffix(1);
  const long count = static_cast<long>(digits.size());
  if (exponent < -5 || exponent > widest)
    return fmt::format("{}{}{}{}e{}{}", sign, digits[0], count > 1 ? "." : "", digits.substr(1),
                       exponent < 0 ? "-" : "+", std::abs(exponent));
  if (point <= 0)
    return fmt::format("{}0.{}{}", sign, std::string(-point, '0'), digits);
  if (point >= count)
    return fmt::format("{}{}{}", sign, digits, std::string(point - count, '0'));
  return fmt::format("{}{}.{}", sign, digits.substr(0, point), digits.substr(point));
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

bool rounds_to_one(const BigFloat& value, int64_t good_bits, Format format) {
  constexpr int64_t all_bits = 1 << 20; // more than any precision in use
  if (value.is_zero() || !value.is_finite() || good_bits >= all_bits)
    return true;
  BigFloat doubt = value;
  mpfr_div_2si(doubt.raw(), doubt.raw(), long(std::max<int64_t>(good_bits, 0)), MPFR_RNDA);
  BigFloat smaller = value, larger = value;
  mpfr_sub(smaller.raw(), smaller.raw(), doubt.raw(), MPFR_RNDZ);
  mpfr_add(larger.raw(), larger.raw(), doubt.raw(), MPFR_RNDA);
  smaller.round_to(format);
  larger.round_to(format);
  return smaller == larger;
}

void use_full_exponent_range() {
  thread_local const bool widened = [] {
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    return true;
  }();
  (void)widened;
}

// The values of a format near x are the multiples of one power of two, the spacing at x. So x is scaled until the
// spacing is one, rounded to an integer, and scaled back. Scaling is exact and needs no temporary.
void round_to(mpfr_ptr value, Format format) {
  if (!mpfr_regular_p(value))
    return;
  const FormatInfo form = info(format);
  const long exponent = std::max<long>(mpfr_get_exp(value) - 1, form.min_exponent);
  const long spacing = exponent - (form.precision - 1);
  mpfr_mul_2si(value, value, -spacing, MPFR_RNDN);
  mpfr_roundeven(value, value);
  mpfr_mul_2si(value, value, spacing, MPFR_RNDN);
  if (mpfr_regular_p(value) && mpfr_get_exp(value) - 1 > form.max_exponent)
    mpfr_set_inf(value, mpfr_sgn(value));
}

Value rounded(mpfr_srcptr value, Format format) {
  switch (format) {
  case Format::binary32:
    return mpfr_get_flt(value, MPFR_RNDN);
  case Format::binary64:
    return mpfr_get_d(value, MPFR_RNDN);
  case Format::extended80:
    return mpfr_get_ld(value, MPFR_RNDN);
  default:
    break;
  }
  BigFloat copy(mpfr_get_prec(value));
  mpfr_set(copy.raw(), value, MPFR_RNDN);
  copy.round_to(format);
  return copy.to_float();
}

BigFloat::BigFloat(mpfr_prec_t precision) {
  use_full_exponent_range();
  mpfr_init2(value_, precision);
}

BigFloat::BigFloat(Value value, mpfr_prec_t precision) : BigFloat(precision) { set(value); }

BigFloat::BigFloat(const BigFloat& other) : BigFloat(other.precision()) { mpfr_set(value_, other.value_, MPFR_RNDN); }

BigFloat::BigFloat(BigFloat&& other) noexcept {
  value_[0] = other.value_[0];
  other.value_->_mpfr_d = nullptr;
}

BigFloat& BigFloat::operator=(const BigFloat& other) {
  if (this == &other)
    return *this;
  if (!owns_limbs())
    mpfr_init2(value_, other.precision());
  else if (precision() != other.precision())
    mpfr_set_prec(value_, other.precision());
  mpfr_set(value_, other.value_, MPFR_RNDN);
  return *this;
}

BigFloat& BigFloat::operator=(BigFloat&& other) noexcept {
  std::swap(value_[0], other.value_[0]);
  return *this;
}

BigFloat::~BigFloat() {
  if (owns_limbs())
    mpfr_clear(value_);
}

void BigFloat::set(float value) { mpfr_set_flt(value_, value, MPFR_RNDN); }
void BigFloat::set(double value) { mpfr_set_d(value_, value, MPFR_RNDN); }
void BigFloat::set(long double value) { numeric::set(value_, value); }
void BigFloat::set(int64_t value) { mpfr_set_si(value_, value, MPFR_RNDN); }
void BigFloat::set(const BigFloat& value) { mpfr_set(value_, value.value_, MPFR_RNDN); }

float BigFloat::to_float() const { return mpfr_get_flt(value_, MPFR_RNDN); }
double BigFloat::to_double() const { return mpfr_get_d(value_, MPFR_RNDN); }
long double BigFloat::to_long_double() const { return mpfr_get_ld(value_, MPFR_RNDN); }

double BigFloat::log2_magnitude() const {
  if (is_nan())
    return std::numeric_limits<double>::quiet_NaN();
  if (is_zero() || is_inf())
    return is_zero() ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  long exponent = 0;
  const double fraction = mpfr_get_d_2exp(&exponent, value_, MPFR_RNDN);
  return std::log2(std::fabs(fraction)) + double(exponent);
}

std::partial_ordering operator<=>(const BigFloat& a, const BigFloat& b) {
  if (a.is_nan() || b.is_nan())
    return std::partial_ordering::unordered;
  return mpfr_cmp(a.value_, b.value_) <=> 0;
}

std::string BigFloat::to_string(int digits) const {
  if (is_nan())
    return "nan";
  if (is_inf())
    return is_negative() ? "-inf" : "inf";
  if (is_zero())
    return is_negative() ? "-0" : "0";
  mpfr_exp_t point = 0;
  char* text = mpfr_get_str(nullptr, &point, 10, std::max(digits, 0), value_, MPFR_RNDN);
  const std::string result = lay_out(text, point);
  mpfr_free_str(text);
  return result;
}

} // namespace faultline::numeric
