#include "families.h"
#include "formula.h"

namespace faultline::benchmarks {
namespace {

Ball erf(const Ball& x) { return apply(arb_hypgeom_erf, x); }
Ball erfc(const Ball& x) { return apply(arb_hypgeom_erfc, x); }

// log1p keeps the digits near 0; above, 1 - erf(x) would have none.
Value log_erfc(const Arguments& a) { return a[0] < 0.5 ? log1p(-erf(a.ball(0))) : log(erfc(a.ball(0))); }

// The normal distribution: its density Z, its upper tail Q, and the hazard Z / Q.
Ball erf_z(const Ball& x) { return exp(-square(x) / 2) / sqrt(2 * Ball::pi(x.precision())); }
// Q(x) is erfc(x / sqrt(2)) / 2, and for x > 0 also gamma(1/2, x^2 / 2) / 2 sqrt(pi): x^2 / 2 is exact, x / sqrt(2) is
// not.
Ball erf_q(const Ball& x) {
  if (!x.is_certainly_positive())
    return erfc(x / sqrt(x.constant(2))) / 2;
  Ball tail(x.precision());
  arb_hypgeom_gamma_upper(tail.raw(), x.constant(0.5).raw(), (square(x) / 2).raw(), 0, x.precision());
  return tail / (2 * sqrt(Ball::pi(x.precision())));
}
Ball hazard(const Ball& x) { return erf_z(x) / erf_q(x); }

// sqrt(pi)/2 exp(-x^2) erfi(x) = x 1F1(1, 3/2, -x^2), which needs no scaling.
Ball dawson(const Ball& x) {
  Ball value(x.precision());
  arb_hypgeom_1f1(value.raw(), x.constant(1).raw(), x.constant(1.5).raw(), (-square(x)).raw(), 0, x.precision());
  return x * value;
}

const GslReference references[] = {
    {"gsl_sf_erf", 1, everywhere<erf>},       {"gsl_sf_erfc", 1, everywhere<erfc>},
    {"gsl_sf_log_erfc", 1, log_erfc},         {"gsl_sf_erf_Z", 1, everywhere<erf_z>},
    {"gsl_sf_erf_Q", 1, everywhere<erf_q>},   {"gsl_sf_hazard", 1, everywhere<hazard>},
    {"gsl_sf_dawson", 1, everywhere<dawson>},
};

} // namespace

Family error_function_family() { return references; }

} // namespace faultline::benchmarks
