// Synchrotron functions: x times the integral of K_5/3 from x to infinity, and x K_2/3(x).
//
// K_5/3 = -2 K'_2/3 - K_1/3, so the first is x (2 K_2/3(x) - the integral of K_1/3 from x to infinity). That one is
//  - for small x, pi / sqrt(3) less the integral from 0 to x, from the series of I_1/3 and I_-1/3. The parts are of
//    size exp(x) and cancel down to exp(-x), so the work is done with as many more bits;
//  - for large x, the asymptotic series of K_1/3 integrated term by term into incomplete gamma functions. For a real
//    order below 1/2 the error is less than the first term left out (DLMF 10.40(iii)).
#include "families.h"
#include "formula.h"

namespace faultline::benchmarks {
namespace {

// The integral of I_nu from 0 to x: x (x/2)^nu / ((nu + 1) gamma(nu + 1)) 1F2((nu+1)/2; (nu+3)/2, nu + 1; x^2/4).
Ball integral_of_bessel_i(const Ball& nu, const Ball& x) {
  arb_struct upper[1], lower[3];
  arb_init(upper);
  for (arb_struct& parameter : lower)
    arb_init(&parameter);
  arb_set(upper, ((nu + 1) / 2).raw());
  arb_set(&lower[0], ((nu + 3) / 2).raw());
  arb_set(&lower[1], (nu + 1).raw());
  arb_one(&lower[2]);
  Ball series(x.precision());
  arb_hypgeom_pfq(series.raw(), upper, 1, lower, 2, (square(x) / 4).raw(), 0, x.precision());
  arb_clear(upper);
  for (arb_struct& parameter : lower)
    arb_clear(&parameter);
  return x * pow(x / 2, nu) / (nu + 1) * reciprocal_gamma(nu + 1) * series;
}

Ball by_series(double size, const Ball& exact) {
  const Ball x = exact.at(exact.precision() + 32 + static_cast<slong>(3 * size));
  const Ball third = x.constant(1) / 3, root_3 = sqrt(x.constant(3)), pi = Ball::pi(x.precision());
  const Ball from_0 = pi / root_3 * (integral_of_bessel_i(-third, x) - integral_of_bessel_i(third, x));
  return (pi / root_3 - from_0).at(exact.precision());
}

// sqrt(pi / 2) times the sum of a_k gamma(1/2 - k, x), a_k = a_(k-1) (4/9 - (2k-1)^2) / 8k.
Ball by_asymptotics(const Ball& x) {
  const slong precision = x.precision();
  Ball sum(precision), coefficient(1, precision), term(precision);
  for (slong k = 0;; ++k) {
    Ball incomplete(precision);
    arb_hypgeom_gamma_upper(incomplete.raw(), x.constant(0.5 - static_cast<double>(k)).raw(), x.raw(), 0, precision);
    const Ball next = coefficient * incomplete;
    const bool grows = k > 0 && arf_cmpabs(arb_midref(next.raw()), arb_midref(term.raw())) > 0;
    term = next;
    if (grows || k > precision || (k > 0 && (term / sum).is_certainly_below_2exp(-precision))) {
      sum.add_error(term);
      return sqrt(Ball::pi(precision) / 2) * sum;
    }
    sum += term;
    const double odd = 2.0 * static_cast<double>(k) + 1;
    coefficient *= (x.constant(4) / 9 - odd * odd) / (8.0 * static_cast<double>(k + 1));
  }
}

Ball bessel_k_two_thirds(const Ball& x) { return apply(arb_hypgeom_bessel_k, x.constant(2) / 3, x); }

Value synchrotron_1(const Arguments& a) {
  if (a[0] < 0)
    return undefined;
  const Ball x = a.ball(0);
  if (a[0] == 0)
    return x;
  // The smallest term of the asymptotic series is about exp(-2x).
  const bool is_large = a[0] > 0.4 * static_cast<double>(a.precision) + 20;
  return x * (2 * bessel_k_two_thirds(x) - (is_large ? by_asymptotics(x) : by_series(a[0], x)));
}

Value synchrotron_2(const Arguments& a) {
  if (a[0] < 0)
    return undefined;
  const Ball x = a.ball(0);
  return a[0] == 0 ? x : x * bessel_k_two_thirds(x);
}

const GslReference references[] = {
    {"gsl_sf_synchrotron_1", 1, synchrotron_1},
    {"gsl_sf_synchrotron_2", 1, synchrotron_2},
};

} // namespace

Family synchrotron_family() { return references; }

} // namespace faultline::benchmarks
