// Functions of a complex number z = a + bi, as two operations each: the real and the imaginary part of the result, with
// two real operands. (The imaginary part of log is atan2, a separate entry; |z| is hypot.)
//
// Slopes follow from the complex derivative f'(z) = p + qi by the Cauchy-Riemann equations: d Re f = p da - q db and d
// Im f = q da + p db.
//
// In high precision both parts are products, quotients and roots without cancellation, so that each is accurate to its
// last bits. Operands that are not finite, or so large that a product is infinity times zero, use the machine's
// results, which follow C's Annex G.
#pragma once

#include "ops/forms.h"
#include "ops/formulas.h"

#include <complex>

namespace faultline::ops {

using Complex = std::complex<double>;

enum class Part { real, imaginary };

// Evaluates one part of a complex function natively.
template <auto function, Part part>
constexpr auto native_part = [](auto a, auto b, auto) {
  const auto value = function(std::complex<decltype(a)>(a, b));
  return part == Part::real ? value.real() : value.imag();
};

// `exactly` is called for finite operands.
template <auto function, Part part, auto exactly>
constexpr auto big_part = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr) {
  const long double x = mpfr_get_ld(a, MPFR_RNDN), y = mpfr_get_ld(b, MPFR_RNDN);
  const bool finite = mpfr_number_p(a) && mpfr_number_p(b);
  if (finite)
    exactly(result, a, b);
  if (!finite || mpfr_nan_p(result))
    mpfr_set_ld(result, native_part<function, part>(x, y, 0.0L), MPFR_RNDN);
};

template <auto derivative, Part part>
constexpr auto complex_partials = [](double a, double b, double, double) {
  const Complex slope = derivative(Complex(a, b));
  return part == Part::real ? Gradient{slope.real(), -slope.imag(), 0} : Gradient{slope.imag(), slope.real(), 0};
};

template <auto derivative, Part part>
constexpr auto complex_conditions = [](double a, double b, double, double result) {
  const Gradient slopes = complex_partials<derivative, part>(a, b, 0, result);
  return Gradient{std::fabs(a / result * slopes[0]), std::fabs(b / result * slopes[1]), 0};
};

// An operation that is dangerous where its result is zero. The real part of tanh and the imaginary part of tan are not:
// they are zero only with their argument. Near the poles they are unstable too, but do not change sign there.
template <auto function, Part part, auto exactly, auto derivative>
constexpr Entry complex_entry(Op op, std::string_view symbol, Raises raises) {
  const bool safe_zero = op == Op::ctan_im || op == Op::ctanh_re;
  return {.op = op,
          .symbol = symbol,
          .potentially_unstable = true,
          .native = native_part<function, part>,
          .big = big_part<function, part, exactly>,
          .partials = complex_partials<derivative, part>,
          .conditions = complex_conditions<derivative, part>,
          .danger = safe_zero ? +no_danger : +danger_at_result_zero,
          .raises = raises};
}

// f(a) * g(b)
template <auto f, auto g>
constexpr auto big_product = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b) {
  Spare left(result), right(result);
  f(left, a, MPFR_RNDN);
  g(right, b, MPFR_RNDN);
  const bool zero = (mpfr_zero_p(a) && mpfr_zero_p(left)) || (mpfr_zero_p(b) && mpfr_zero_p(right));
  mpfr_mul(result, left, right, MPFR_RNDN);
  if (zero) // exactly zero, though the other factor may have underflowed
    mpfr_clear_underflow();
};

constexpr auto big_minus_sine = [](mpfr_ptr result, mpfr_srcptr a, mpfr_rnd_t) {
  mpfr_sin(result, a, MPFR_RNDN);
  mpfr_neg(result, result, MPFR_RNDN);
};

// f(2a) / 2 / (sinh^2 h + cos^2 c), the form of both parts of tan and tanh; h and c are a and b in either order. No
// float is a pole, but a zero of cos^2 may be close to one; the quotient is then as large as it gets.
template <auto f, bool of_first, bool hyperbolic_first>
constexpr auto big_tangent = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b) {
  Spare above(result), hyperbolic(result), circular(result);
  mpfr_mul_2ui(above, of_first ? a : b, 1, MPFR_RNDN);
  f(above, above, MPFR_RNDN);
  mpfr_sinh(hyperbolic, hyperbolic_first ? a : b, MPFR_RNDN);
  mpfr_cos(circular, hyperbolic_first ? b : a, MPFR_RNDN);
  mpfr_sqr(hyperbolic, hyperbolic, MPFR_RNDN);
  mpfr_sqr(circular, circular, MPFR_RNDN);
  mpfr_add(hyperbolic, hyperbolic, circular, MPFR_RNDN);
  mpfr_div(above, above, hyperbolic, MPFR_RNDN);
  mpfr_div_2ui(result, above, 1, MPFR_RNDN);
};

// log |z|. Near |z| = 1 it is log1p(a^2 - 1 + b^2) / 2 with |a| >= |b|, whose sum is rounded once.
constexpr auto big_log_magnitude = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b) {
  Spare magnitude(result);
  mpfr_hypot(magnitude, a, b, MPFR_RNDN);
  const bool near_one = mpfr_cmp_d(magnitude, 0.5) > 0 && mpfr_cmp_d(magnitude, 2) < 0;
  if (!near_one) {
    mpfr_log(result, magnitude, MPFR_RNDN);
    return;
  }
  if (mpfr_cmpabs(a, b) < 0)
    std::swap(a, b);
  const mpfr_prec_t exactly = 2 * std::max(mpfr_get_prec(a), mpfr_get_prec(b)) + 8;
  Spare square(exactly), other(exactly);
  mpfr_sqr(square, a, MPFR_RNDN);
  mpfr_sub_ui(square, square, 1, MPFR_RNDN);
  mpfr_sqr(other, b, MPFR_RNDN);
  mpfr_add(magnitude, square, other, MPFR_RNDN);
  mpfr_log1p(magnitude, magnitude, MPFR_RNDN);
  mpfr_div_2ui(result, magnitude, 1, MPFR_RNDN);
};

// The larger part of sqrt z: sqrt((|z| + |a|) / 2). The other part is b / 2 divided by it.
template <Part part>
constexpr auto big_root = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b) {
  Spare large(result);
  const bool wanted_is_large = (mpfr_signbit(a) == 0) == (part == Part::real);
  const bool negative = mpfr_signbit(b) != 0;
  mpfr_hypot(large, a, b, MPFR_RNDN);
  (mpfr_signbit(a) ? mpfr_sub : mpfr_add)(large, large, a, MPFR_RNDN);
  mpfr_div_2ui(large, large, 1, MPFR_RNDN);
  mpfr_sqrt(large, large, MPFR_RNDN);
  if (wanted_is_large || mpfr_zero_p(large)) {
    mpfr_set(result, large, MPFR_RNDN);
  } else {
    mpfr_div(large, b, large, MPFR_RNDN);
    mpfr_div_2ui(result, large, 1, MPFR_RNDN);
  }
  mpfr_setsign(result, result, part == Part::imaginary && negative, MPFR_RNDN);
};

constexpr auto complex_exp = [](auto z) { return std::exp(z); };
constexpr auto complex_log = [](auto z) { return std::log(z); };
constexpr auto complex_sqrt = [](auto z) { return std::sqrt(z); };
constexpr auto complex_sin = [](auto z) { return std::sin(z); };
constexpr auto complex_cos = [](auto z) { return std::cos(z); };
constexpr auto complex_tan = [](auto z) { return std::tan(z); };
constexpr auto complex_sinh = [](auto z) { return std::sinh(z); };
constexpr auto complex_cosh = [](auto z) { return std::cosh(z); };
constexpr auto complex_tanh = [](auto z) { return std::tanh(z); };
constexpr auto minus_sin = [](Complex z) { return -std::sin(z); };
constexpr auto log_slope = [](Complex z) { return 1.0 / z; };
constexpr auto sqrt_slope = [](Complex z) { return 0.5 / std::sqrt(z); };
constexpr auto tan_slope = [](Complex z) {
  const Complex c = 1.0 / std::cos(z);
  return c * c;
};
constexpr auto tanh_slope = [](Complex z) {
  const Complex c = 1.0 / std::cosh(z);
  return c * c;
};

// sqrt is stable: its conditions are |a| / 2|z| and (1 -+ a / |z|) / 2, the latter without cancellation as b^2 /
// 2|z|(|z| + |a|).
template <Part part>
constexpr auto root_conditions = [](double a, double b, double, double) {
  const double size = std::hypot(a, b), x = a / size, y = b / size;
  const bool cancels = (a > 0) == (part == Part::real);
  return Gradient{std::fabs(x) / 2, cancels ? y * y / (1 + std::fabs(x)) / 2 : (1 + std::fabs(x)) / 2, 0};
};

// Products overflow where an exponential does. They underflow where a factor that nearly equals its argument is tiny.
// No pole of tan and tanh is a float.
inline constexpr Entry complex_functions[] = {
    complex_entry<complex_exp, Part::real, big_product<mpfr_exp, mpfr_cos>, complex_exp>(
        Op::cexp_re, "cexp.re", {overflows(infinite), underflows(tiny)}),
    complex_entry<complex_exp, Part::imaginary, big_product<mpfr_exp, mpfr_sin>, complex_exp>(
        Op::cexp_im, "cexp.im", {overflows(infinite), underflows(second != 0, tiny)}),
    complex_entry<complex_log, Part::real, big_log_magnitude, log_slope>(
        Op::clog_re, "clog.re", {underflows(first != 0, second != 0, tiny), divides_by_zero(first == 0, second == 0)}),
    {.op = Op::csqrt_re,
     .symbol = "csqrt.re",
     .native = native_part<complex_sqrt, Part::real>,
     .big = big_part<complex_sqrt, Part::real, big_root<Part::real>>,
     .partials = complex_partials<sqrt_slope, Part::real>,
     .conditions = root_conditions<Part::real>,
     .raises = {underflows(first < 0, second != 0, tiny)}},
    {.op = Op::csqrt_im,
     .symbol = "csqrt.im",
     .native = native_part<complex_sqrt, Part::imaginary>,
     .big = big_part<complex_sqrt, Part::imaginary, big_root<Part::imaginary>>,
     .partials = complex_partials<sqrt_slope, Part::imaginary>,
     .conditions = root_conditions<Part::imaginary>,
     .raises = {underflows(first > 0, second != 0, tiny)}},
    complex_entry<complex_sin, Part::real, big_product<mpfr_sin, mpfr_cosh>, complex_cos>(
        Op::csin_re, "csin.re", {overflows(infinite), underflows(first != 0, tiny)}),
    complex_entry<complex_sin, Part::imaginary, big_product<mpfr_cos, mpfr_sinh>, complex_cos>(
        Op::csin_im, "csin.im", {overflows(infinite), underflows(second != 0, tiny)}),
    complex_entry<complex_cos, Part::real, big_product<mpfr_cos, mpfr_cosh>, minus_sin>(Op::ccos_re, "ccos.re",
                                                                                        {overflows(infinite)}),
    complex_entry<complex_cos, Part::imaginary, big_product<big_minus_sine, mpfr_sinh>, minus_sin>(
        Op::ccos_im, "ccos.im", {overflows(infinite), underflows(first != 0, second != 0, tiny)}),
    complex_entry<complex_tan, Part::real, big_tangent<mpfr_sin, true, false>, tan_slope>(
        Op::ctan_re, "ctan.re", {underflows(first != 0, tiny)}),
    complex_entry<complex_tan, Part::imaginary, big_tangent<mpfr_sinh, false, false>, tan_slope>(
        Op::ctan_im, "ctan.im", {underflows(second != 0, tiny)}),
    complex_entry<complex_sinh, Part::real, big_product<mpfr_sinh, mpfr_cos>, complex_cosh>(
        Op::csinh_re, "csinh.re", {overflows(infinite), underflows(first != 0, tiny)}),
    complex_entry<complex_sinh, Part::imaginary, big_product<mpfr_cosh, mpfr_sin>, complex_cosh>(
        Op::csinh_im, "csinh.im", {overflows(infinite), underflows(second != 0, tiny)}),
    complex_entry<complex_cosh, Part::real, big_product<mpfr_cosh, mpfr_cos>, complex_sinh>(Op::ccosh_re, "ccosh.re",
                                                                                            {overflows(infinite)}),
    complex_entry<complex_cosh, Part::imaginary, big_product<mpfr_sinh, mpfr_sin>, complex_sinh>(
        Op::ccosh_im, "ccosh.im", {overflows(infinite), underflows(first != 0, second != 0, tiny)}),
    complex_entry<complex_tanh, Part::real, big_tangent<mpfr_sinh, true, true>, tanh_slope>(
        Op::ctanh_re, "ctanh.re", {underflows(first != 0, tiny)}),
    complex_entry<complex_tanh, Part::imaginary, big_tangent<mpfr_sin, false, true>, tanh_slope>(
        Op::ctanh_im, "ctanh.im", {underflows(second != 0, tiny)}),
};

template <Op op>
requires(is_complex_part(op)) struct Formulas<op> : Unbounded {
};

} // namespace faultline::ops
