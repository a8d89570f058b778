#include <algorithm>
#include <limits>

#include "families.h"
#include "gamma_function.h"

namespace faultline::benchmarks {
namespace {

constexpr double largest_degree = 20000;     // of a series that ends; beyond it, unknown
constexpr double largest_plain_degree = 100; // beyond it, Arb's own methods are better where they apply

Value f01(const Arguments& a) {
  if (is_gamma_pole(a[0]))
    return undefined;
  if (a[1] == 0)
    return a.constant(1);
  Ball value(a.precision);
  arb_hypgeom_0f1(value.raw(), a.ball(0).raw(), a.ball(1).raw(), 0, a.precision);
  return value;
}

// U(-m, b, x), a polynomial, by a recurrence without division: exact, zeros included, once the precision is high
// enough.
Ball polynomial_u(double m, const Ball& b, const Ball& x) {
  Ball previous(1, x.precision()), current = x - b;
  if (m == 0)
    return previous;
  for (double k = 1; k < m; ++k) {
    Ball next = (x - b - 2 * k) * current - k * (b + (k - 1)) * previous;
    previous = std::move(current);
    current = std::move(next);
  }
  return current;
}

// 1F1(-m, b, x) = (-1)^m U(-m, b, x) / (b)_m, which ends before (b)_k vanishes.
Ball polynomial_f11(double m, const Ball& b, const Ball& x) {
  Ball rising(x.precision());
  arb_hypgeom_rising_ui(rising.raw(), b.raw(), static_cast<ulong>(m), x.precision());
  const Ball value = polynomial_u(m, b, x) / rising;
  return is_odd(m) ? -value : value;
}

Value f11(const Arguments& a) {
  const Ball x = a.ball(2);
  if (a[2] == 0)
    return a.constant(1);
  if (a[1] == 0)
    return undefined;
  if (a[0] == 0)
    return a.constant(1);
  if (a[0] == a[1])
    return exp(x);
  if (is_gamma_pole(a[1])) {
    if (!is_gamma_pole(a[0]) || a[0] < a[1])
      return undefined;
    return -a[0] > largest_degree ? Ball::unknown(a.precision) : polynomial_f11(-a[0], a.ball(1), x);
  }
  if (is_gamma_pole(a[0]) && -a[0] <= largest_plain_degree)
    return polynomial_f11(-a[0], a.ball(1), x);
  Ball value(a.precision);
  arb_hypgeom_1f1(value.raw(), a.ball(0).raw(), a.ball(1).raw(), x.raw(), 0, a.precision);
  return value;
}

Value f11_int(const Arguments& a) {
  if (!is_int(a[0]) || !is_int(a[1]))
    return undefined;
  return a[0] == a[1] ? exp(a.ball(2)) : f11(a); // GSL's order of the special cases: at a = b = 0, exp(x)
}

// Below 0, U is real only where it is a polynomial, or x^(1-b) U(1 + a - b, 2 - b, x) with an integer b and a
// polynomial of degree b - a - 1.
Value u(const Arguments& a) {
  const Ball x = a.ball(2), shifted = exact_sum({1, a[0], -a[1]}, a.precision);
  if (a[2] == 0 && a[1] >= 1)
    return undefined;
  if (a[0] == 0)
    return a.constant(1);
  if (a[2] == 0)
    return gamma(1 - a.ball(1)) * reciprocal_gamma(shifted);
  if (is_gamma_pole(a[0]) && -a[0] <= (a[2] < 0 ? largest_degree : largest_plain_degree))
    return polynomial_u(-a[0], a.ball(1), x);
  if (a[2] < 0) {
    if (is_gamma_pole(a[0]))
      return Ball::unknown(a.precision);
    if (!is_integer(a[1]) || !is_gamma_pole(shifted))
      return undefined;
    const double degree = a[1] - a[0] - 1;
    if (degree > largest_degree || a[1] > 2 * largest_degree)
      return Ball::unknown(a.precision);
    return polynomial_u(degree, 2 - a.ball(1), x) / pow(x, static_cast<unsigned long>(a[1] - 1));
  }
  Ball value(a.precision);
  arb_hypgeom_u(value.raw(), a.ball(0).raw(), a.ball(1).raw(), x.raw(), a.precision);
  return value;
}

Value u_int(const Arguments& a) {
  if (!is_int(a[0]) || !is_int(a[1]))
    return undefined;
  return u(a);
}

// GSL's definition: (-1/x)^a U(a, 1 + a - b, -1/x).
Value f20(const Arguments& a) {
  if (a[2] > 0)
    return undefined;
  if (a[2] == 0)
    return a.constant(1);
  const Ball z = -1 / a.ball(2);
  Ball value(a.precision);
  arb_hypgeom_u(value.raw(), a.ball(0).raw(), exact_sum({1, a[0], -a[1]}, a.precision).raw(), z.raw(), a.precision);
  return pow(z, a.ball(0)) * value;
}

// The sum of (a)_k (b)_k / (c)_k x^k / k!, up to the degree at which a or b ends it.
Ball finite_f21(const Arguments& a, double degree) {
  Ball sum = a.constant(1), term = sum;
  for (double k = 0; k < degree; ++k) {
    term = term * (a.ball(0) + k) * (a.ball(1) + k) * a.ball(3) / ((a.ball(2) + k) * (k + 1));
    sum += term;
  }
  return sum;
}

// From -1 up to 1, and at 1 where the series converges, by Gauss' theorem. Where c is a pole the series has to end
// before it.
Value f21(const Arguments& a) {
  const double x = a[3];
  const Ball c_less_a = exact_sum({a[2], -a[0]}, a.precision), c_less_b = exact_sum({a[2], -a[1]}, a.precision);
  const Ball excess = exact_sum({a[2], -a[0], -a[1]}, a.precision);
  if (is_gamma_pole(a[2])) {
    const double infinite = std::numeric_limits<double>::infinity();
    const double degree = std::min(is_gamma_pole(a[0]) && a[0] > a[2] ? -a[0] : infinite,
                                   is_gamma_pole(a[1]) && a[1] > a[2] ? -a[1] : infinite);
    if (degree == infinite || x < -1 || x >= 1)
      return undefined;
    return degree > largest_degree ? Ball::unknown(a.precision) : finite_f21(a, degree);
  }
  if (x == 1 && excess.is_certainly_positive())
    return gamma(a.ball(2)) * gamma(excess) * reciprocal_gamma(c_less_a) * reciprocal_gamma(c_less_b);
  if (x < -1 || x >= 1)
    return undefined;
  Ball value(a.precision);
  arb_hypgeom_2f1(value.raw(), a.ball(0).raw(), a.ball(1).raw(), a.ball(2).raw(), a.ball(3).raw(), 0, a.precision);
  return value;
}

const GslReference references[] = {
    {"gsl_sf_hyperg_0F1", 2, f01}, {"gsl_sf_hyperg_1F1", 3, f11},     {"gsl_sf_hyperg_1F1_int", 3, f11_int},
    {"gsl_sf_hyperg_U", 3, u},     {"gsl_sf_hyperg_U_int", 3, u_int}, {"gsl_sf_hyperg_2F0", 3, f20},
    {"gsl_sf_hyperg_2F1", 4, f21},
};

} // namespace

Family hypergeometric_family() { return references; }

} // namespace faultline::benchmarks
