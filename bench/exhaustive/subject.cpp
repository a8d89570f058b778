#include "subject.h"

#include "numeric/bigfloat.h"

#include <algorithm>
#include <bit>
#include <cmath>

extern "C" {
float one_minus_cos(float x);
float chebyshev_7(float x);
float relative_entropy(float x);
float sine_by_reduction(float x);
}

namespace faultline::bench {
namespace {

using numeric::BigFloat;
using numeric::Format;

constexpr mpfr_prec_t precision = 1024; // 1 - cos(x) of the smallest x needs 300
constexpr double smallest_normal = 0x1p-126;

double quick_one_minus_cos(double x) {
  const double s = std::sin(x / 2) / x;
  return 2 * s * s;
}

void exact_one_minus_cos(mpfr_ptr result, mpfr_srcptr x) {
  BigFloat square(precision);
  mpfr_sqr(square.raw(), x, MPFR_RNDN);
  mpfr_cos(result, x, MPFR_RNDN);
  mpfr_ui_sub(result, 1, result, MPFR_RNDN);
  mpfr_div(result, result, square.raw(), MPFR_RNDN);
}

double quick_chebyshev_7(double x) {
  const double y = x * x;
  return x * (((64 * y - 112) * y + 56) * y - 7);
}

void exact_chebyshev_7(mpfr_ptr result, mpfr_srcptr x) {
  BigFloat y(precision);
  mpfr_sqr(y.raw(), x, MPFR_RNDN);
  mpfr_mul_ui(result, y.raw(), 64, MPFR_RNDN);
  for (const long coefficient : {-112, 56}) {
    mpfr_add_si(result, result, coefficient, MPFR_RNDN);
    mpfr_mul(result, result, y.raw(), MPFR_RNDN);
  }
  mpfr_sub_ui(result, result, 7, MPFR_RNDN);
  mpfr_mul(result, result, x, MPFR_RNDN);
}

double quick_relative_entropy(double x) {
  const double from_1 = x - 1; // exact near 1
  return x * (std::fabs(from_1) < 0.25 ? std::log1p(from_1) : std::log(x)) - from_1;
}

void exact_relative_entropy(mpfr_ptr result, mpfr_srcptr x) {
  BigFloat from_1(precision);
  mpfr_sub_ui(from_1.raw(), x, 1, MPFR_RNDN);
  mpfr_log(result, x, MPFR_RNDN);
  mpfr_mul(result, result, x, MPFR_RNDN);
  mpfr_sub(result, result, from_1.raw(), MPFR_RNDN);
}

// Nothing is rounded up to r but what is far below it: k has few bits, and so have the constants.
double quick_sine_by_reduction(double x) {
  if (!(std::fabs(x) <= 10))
    return std::nan("");
  const double k = std::rint(x * 0x1.45f306p-2), r = (x - k * 3.140625) - k * 0x1.fb5444p-11, s = r * r;
  const double p = r + r * s * (-0x1.555556p-3 + s * (0x1.11110ep-7 + s * -0x1.a0176p-13));
  return std::fmod(k, 2) != 0 ? -p : p;
}

void exact_sine_by_reduction(mpfr_ptr result, mpfr_srcptr x) {
  BigFloat k(precision), r(precision), s(precision);
  mpfr_mul_d(k.raw(), x, 0x1.45f306p-2, MPFR_RNDN);
  mpfr_rint(k.raw(), k.raw(), MPFR_RNDN);
  mpfr_mul_d(s.raw(), k.raw(), 3.140625 + 0x1.fb5444p-11, MPFR_RNDN);
  mpfr_sub(r.raw(), x, s.raw(), MPFR_RNDN);
  mpfr_sqr(s.raw(), r.raw(), MPFR_RNDN);
  mpfr_mul_d(result, s.raw(), -0x1.a0176p-13, MPFR_RNDN);
  for (const double coefficient : {0x1.11110ep-7, -0x1.555556p-3, 1.0}) {
    mpfr_add_d(result, result, coefficient, MPFR_RNDN);
    mpfr_mul(result, result, coefficient == 1 ? r.raw() : s.raw(), MPFR_RNDN);
  }
  if (mpfr_get_si(k.raw(), MPFR_RNDN) % 2 != 0)
    mpfr_neg(result, result, MPFR_RNDN);
}

} // namespace

std::vector<Subject> all_subjects() {
  return {{"one_minus_cos", one_minus_cos, quick_one_minus_cos, exact_one_minus_cos},
          {"chebyshev_7", chebyshev_7, quick_chebyshev_7, exact_chebyshev_7},
          {"relative_entropy", relative_entropy, quick_relative_entropy, exact_relative_entropy},
          {"sine_by_reduction", sine_by_reduction, quick_sine_by_reduction, exact_sine_by_reduction}};
}

BigFloat exact_value(const Subject& subject, float x) {
  const BigFloat input(x, precision);
  BigFloat result(precision);
  subject.exact(result.raw(), input.raw());
  return result;
}

double ulps_of_error(const Subject& subject, float x) {
  const float computed = subject.native(x);
  const BigFloat exact = exact_value(subject, x);
  if (!std::isfinite(computed) || !exact.is_finite() || numeric::absolute_error(computed, exact) < smallest_normal)
    return 0;
  return numeric::ulp_error(computed, exact, Format::binary32);
}

double quick_ulps_of_error(const Subject& subject, float x) {
  const float computed = subject.native(x);
  if (!std::isfinite(computed))
    return 0;
  const double exact = subject.quick(x), error = std::fabs(computed - exact);
  if (!(error >= smallest_normal) || !std::isfinite(exact))
    return 0;
  const int exponent = std::clamp(int(std::bit_cast<uint64_t>(exact) >> 52 & 0x7ff) - 1023, -126, 127);
  return error * std::bit_cast<double>(uint64_t(1023 + 23 - exponent) << 52); // 2^(23 - exponent)
}

} // namespace faultline::bench
