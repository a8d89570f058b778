// Debye's functions and the transport integrals.
//
// D_n(x) = n / x^n times the integral of t^n / (exp(t) - 1) from 0 to x. Near 0 the integrand's series, whose
// coefficients are Bernoulli numbers, converges as (x / 2 pi)^2; beyond, the integral is the whole one less that from x
// to infinity, the sum over k of exp(-k x) (x^n / k + n x^(n-1) / k^2 + ... + n! / k^(n+1)).
#include "families.h"
#include "formula.h"

namespace faultline::benchmarks {
namespace {

constexpr double series_limit = 2;

// 1 - n x / 2(n+1) + n times the sum of B_2k x^2k / ((2k + n) (2k)!); |B_2k| / (2k)! <= 4 / (2 pi)^2k.
Ball debye_series(int n, const Ball& x) {
  const slong precision = x.precision();
  const Ball x_squared = square(x), ratio = square(x / (2 * Ball::pi(precision)));
  Ball sum(precision), bernoulli(precision), power = x_squared, tail = ratio;
  for (long k = 1; !tail.is_certainly_below_2exp(-precision); ++k) {
    arb_bernoulli_ui(bernoulli.raw(), 2 * k, precision);
    sum += bernoulli * power / (factorial(2 * k, precision) * (2.0 * static_cast<double>(k) + n));
    power *= x_squared;
    tail *= ratio;
  }
  sum.add_error(4 * tail / (1 - ratio));
  return 1 - n * x / (2.0 * (n + 1)) + n * sum;
}

// The bracket falls with k, so the rest is below a geometric series.
Ball integral_to_infinity(int n, const Ball& x) {
  const slong precision = x.precision();
  const Ball decay = exp(-x);
  Ball sum(precision), power = decay, first(precision);
  for (slong k = 1;; ++k) {
    Ball bracket = 1 / x.constant(static_cast<double>(k)), term = bracket * pow(x, static_cast<unsigned long>(n));
    bracket = term;
    for (int i = n; i > 0; --i) {
      term = term * i / (x * static_cast<double>(k));
      bracket += term;
    }
    if (k == 1)
      first = bracket;
    if (k > precision || power.is_certainly_below_2exp(-precision)) {
      sum.add_error(first * power / (1 - decay));
      return sum;
    }
    sum += power * bracket;
    power *= decay;
  }
}

Ball debye(int n, const Ball& x, bool is_small) {
  if (x.is_zero())
    return x.constant(1);
  if (is_small)
    return debye_series(n, x);
  Ball whole(x.precision());
  arb_zeta_ui(whole.raw(), static_cast<ulong>(n + 1), x.precision());
  whole *= factorial(static_cast<unsigned long>(n), x.precision());
  return n * (whole - integral_to_infinity(n, x)) / pow(x, static_cast<unsigned long>(n));
}

template <int n>
Value debye(const Arguments& a) {
  if (a[0] < 0)
    return undefined;
  return debye(n, a.ball(0), a[0] < series_limit);
}

// The integral of t^n exp(t) / (exp(t) - 1)^2 from 0 to x, by parts:
// n / (n-1) x^(n-1) D_(n-1)(x) - x^n / (exp(x) - 1).
template <int n>
Value transport(const Arguments& a) {
  if (a[0] < 0)
    return undefined;
  const Ball x = a.ball(0);
  if (a[0] == 0)
    return x;
  return pow(x, n - 1UL) * (n * debye(n - 1, x, a[0] < series_limit) / (n - 1) - x / expm1(x));
}

const GslReference references[] = {
    {"gsl_sf_debye_1", 1, debye<1>},         {"gsl_sf_debye_2", 1, debye<2>},
    {"gsl_sf_debye_3", 1, debye<3>},         {"gsl_sf_debye_4", 1, debye<4>},
    {"gsl_sf_debye_5", 1, debye<5>},         {"gsl_sf_debye_6", 1, debye<6>},
    {"gsl_sf_transport_2", 1, transport<2>}, {"gsl_sf_transport_3", 1, transport<3>},
    {"gsl_sf_transport_4", 1, transport<4>}, {"gsl_sf_transport_5", 1, transport<5>},
};

} // namespace

Family debye_family() { return references; }

} // namespace faultline::benchmarks
