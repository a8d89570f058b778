// (a)_x = gamma(a + x) / gamma(a), for any real x.
#include "families.h"
#include "gamma_function.h"

namespace faultline::benchmarks {
namespace {

Value pochhammer(const Arguments& a) {
  if (a[1] == 0)
    return a.constant(1);
  const Ball sum = exact_sum({a[0], a[1]}, a.precision);
  if (is_gamma_pole(a[0])) {
    if (!is_gamma_pole(sum))
      return a.constant(0);
    // Both have a pole; the limit, with the residues of gamma: (-1)^x gamma(1 - a) / gamma(1 - a - x).
    const Ball ratio = exp(log_abs_gamma(1 - a.ball(0)) - log_abs_gamma(1 - sum));
    return is_odd(a[1]) ? -ratio : ratio;
  }
  if (is_gamma_pole(sum))
    return undefined;
  return gamma(sum) * reciprocal_gamma(a.ball(0));
}

Value lnpoch(const Arguments& a) {
  const Ball sum = exact_sum({a[0], a[1]}, a.precision);
  if (a[0] <= 0 || !sum.is_certainly_positive())
    return undefined;
  if (a[1] == 0)
    return a.constant(0);
  return log_abs_gamma(sum) - log_abs_gamma(a.ball(0));
}

// ((a)_x - 1) / x, and its limit psi(a) at x = 0.
Value pochrel(const Arguments& a) {
  if (a[1] == 0) {
    if (is_gamma_pole(a[0]))
      return undefined;
    return apply(arb_digamma, a.ball(0));
  }
  const Value power = pochhammer(a);
  if (!power)
    return undefined;
  return (*power - 1) / a.ball(1);
}

const GslReference references[] = {
    {"gsl_sf_poch", 2, pochhammer},
    {"gsl_sf_lnpoch", 2, lnpoch},
    {"gsl_sf_pochrel", 2, pochrel},
};

} // namespace

Family pochhammer_family() { return references; }

} // namespace faultline::benchmarks
