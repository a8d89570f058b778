// F_j(x) = -Li_(j+1)(-exp(x)): the complete Fermi-Dirac integrals.
//
// Below 0 the polylogarithm's argument is within the unit disc. Above, Jonquiere's inversion formula leads to the
// Hurwitz zeta function, or for integers j >= 0 to Bernoulli's polynomials, at 1/2 + x / (2 pi i); and back to exp(-x).
#include "complex_ball.h"
#include "families.h"
#include "formula.h"

namespace faultline::benchmarks {
namespace {

Ball minus_polylog_of_minus_exp(const Ball& s, const Ball& x) {
  Ball value(x.precision());
  arb_polylog(value.raw(), s.raw(), (-exp(x)).raw(), x.precision());
  return -value;
}

// F_j(x) = (-1)^j F_j(-x) + 2 times the sum of eta(2i) x^(j+1-2i) / (j+1-2i)!, where 2i <= j + 1 and eta(0) = 1/2. For
// j < -1 the sum is empty.
Ball integer_order(int j, const Ball& x, bool is_positive) {
  const slong precision = x.precision();
  if (j == -1)
    return is_positive ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x));
  if (j == 0)
    return log1p(exp(x));
  if (j < 0 && j % 2 != 0 && x.is_zero())
    return x; // an odd function, as F_-1 - 1/2 is
  if (!is_positive)
    return minus_polylog_of_minus_exp(x.constant(j + 1), x);
  Ball sum(precision);
  for (int i = 0; 2 * i <= j + 1; ++i) {
    Ball eta(0.5, precision);
    if (i > 0) {
      arb_zeta_ui(eta.raw(), static_cast<ulong>(2 * i), precision);
      eta *= 1 - pow(x.constant(0.5), 2UL * static_cast<unsigned long>(i) - 1);
    }
    const auto rest = static_cast<unsigned long>(j + 1 - 2 * i);
    sum += 2 * eta * pow(x, rest) / factorial(rest, precision);
  }
  const Ball mirror = minus_polylog_of_minus_exp(x.constant(j + 1), -x);
  return j % 2 == 0 ? sum + mirror : sum - mirror;
}

// With s = j + 1: the real part of -(2 pi i)^s / gamma(s) zeta(1 - s, 1/2 + x / (2 pi i)), less that of the mirror
// image.
Ball inverted(const Ball& s, const Ball& x) {
  const slong precision = x.precision();
  const Ball two_pi = 2 * Ball::pi(precision);
  ComplexBall zeta(precision), power(precision);
  acb_hurwitz_zeta(zeta.raw(), ComplexBall(1 - s).raw(), ComplexBall(x.constant(0.5), -x / two_pi).raw(), precision);
  acb_pow(power.raw(), ComplexBall(x.constant(0), two_pi).raw(), ComplexBall(s).raw(), precision);
  acb_mul(zeta.raw(), zeta.raw(), power.raw(), precision);
  return -zeta.real() * reciprocal_gamma(s) - cos_pi(s) * minus_polylog_of_minus_exp(s, -x);
}

template <int twice_j>
Value half_order(const Arguments& a) {
  const Ball s = a.constant(twice_j / 2.0 + 1), x = a.ball(0);
  return a[0] > 0 ? inverted(s, x) : minus_polylog_of_minus_exp(s, x);
}

template <int j>
Value order(const Arguments& a) {
  return integer_order(j, a.ball(0), a[0] > 0);
}

// A polylogarithm of large order is exp(x) almost everywhere, one of large negative order a rational function of large
// degree: both ends are left alone.
Value any_order(const Arguments& a) {
  constexpr double largest_order = 1000;
  if (!is_int(a[0]))
    return undefined;
  if (std::abs(a[0]) > largest_order)
    return Ball::unknown(a.precision);
  return integer_order(static_cast<int>(a[0]), a.ball(1), a[1] > 0);
}

// The incomplete F_0(x, b) = log(1 + exp(b - x)) - (b - x) = log(1 + exp(x - b)).
Value incomplete_order_0(const Arguments& a) {
  if (a[1] < 0)
    return undefined;
  return log1p(exp(a.ball(0) - a.ball(1)));
}

const GslReference references[] = {
    {"gsl_sf_fermi_dirac_m1", 1, order<-1>},
    {"gsl_sf_fermi_dirac_0", 1, order<0>},
    {"gsl_sf_fermi_dirac_1", 1, order<1>},
    {"gsl_sf_fermi_dirac_2", 1, order<2>},
    {"gsl_sf_fermi_dirac_mhalf", 1, half_order<-1>},
    {"gsl_sf_fermi_dirac_half", 1, half_order<1>},
    {"gsl_sf_fermi_dirac_3half", 1, half_order<3>},
    {"gsl_sf_fermi_dirac_int", 2, any_order},
    {"gsl_sf_fermi_dirac_inc_0", 2, incomplete_order_0},
};

} // namespace

Family fermi_dirac_family() { return references; }

} // namespace faultline::benchmarks
