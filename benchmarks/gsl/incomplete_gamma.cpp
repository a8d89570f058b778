#include "families.h"
#include "gamma_function.h"
#include "kummer.h"

namespace faultline::benchmarks {
namespace {

Ball upper(const Ball& a, const Ball& x, int regularized) {
  Ball value(x.precision());
  arb_hypgeom_gamma_upper(value.raw(), a.raw(), x.raw(), regularized, x.precision());
  return value;
}

// P(a, x), regularised, for x <= a: x^a exp(-x) / gamma(a + 1) 1F1(1, a + 1, x). There P is the smaller one of P and Q,
// or nearly so; for x > a it is Q, which Arb has.
Ball p_up_to_a(const Ball& a, const Ball& x) {
  return exp(a * log(x) - x - log_abs_gamma(a + 1)) * kummer_series(a, x);
}

// The upper incomplete gamma function, not normalised; a may be negative.
Value gamma_inc(const Arguments& a) {
  if (a[1] < 0 || (a[1] == 0 && is_gamma_pole(a[0])))
    return undefined;
  if (a[1] == 0)
    return gamma(a.ball(0));
  if (a[1] <= a[0])
    return gamma(a.ball(0)) * (1 - p_up_to_a(a.ball(0), a.ball(1)));
  return upper(a.ball(0), a.ball(1), 0);
}

Value gamma_inc_Q(const Arguments& a) {
  if (a[0] < 0 || a[1] < 0)
    return undefined;
  if (a[1] == 0)
    return a.constant(1);
  if (a[0] == 0)
    return a.constant(0);
  if (a[1] <= a[0])
    return 1 - p_up_to_a(a.ball(0), a.ball(1));
  return upper(a.ball(0), a.ball(1), 1);
}

Value gamma_inc_P(const Arguments& a) {
  if (a[0] <= 0 || a[1] < 0)
    return undefined;
  if (a[1] == 0)
    return a.constant(0);
  if (a[1] <= a[0])
    return p_up_to_a(a.ball(0), a.ball(1));
  return 1 - upper(a.ball(0), a.ball(1), 1);
}

// The regularised incomplete beta function I_x(a, b).
Value beta_inc(const Arguments& a) {
  const double x = a[2];
  if (x < 0 || x > 1 || is_gamma_pole(a[0]) || is_gamma_pole(a[1]) ||
      is_gamma_pole(exact_sum({a[0], a[1]}, a.precision)))
    return undefined;
  if (x == 0 || x == 1)
    return a.constant(x);
  Ball value(a.precision);
  arb_hypgeom_beta_lower(value.raw(), a.ball(0).raw(), a.ball(1).raw(), a.ball(2).raw(), 1, a.precision);
  return value;
}

const GslReference references[] = {
    {"gsl_sf_gamma_inc", 2, gamma_inc},
    {"gsl_sf_gamma_inc_Q", 2, gamma_inc_Q},
    {"gsl_sf_gamma_inc_P", 2, gamma_inc_P},
    {"gsl_sf_beta_inc", 3, beta_inc},
};

} // namespace

Family incomplete_gamma_family() { return references; }

} // namespace faultline::benchmarks
