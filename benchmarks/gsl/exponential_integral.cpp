// Exponential integrals E_n, Ei and their relatives. Below 0, where E_n is complex, GSL takes the real part.
#include "families.h"
#include "formula.h"

namespace faultline::benchmarks {
namespace {

Ball ei(const Ball& x) { return apply(arb_hypgeom_ei, x); }

Ball en(double n, const Ball& x) {
  if (n == 0)
    return exp(-x) / x;
  if (n == 1)
    return -ei(-x);
  if (n == 2 && x.is_certainly_negative())
    return exp(-x) + x * ei(-x);
  if (x.is_zero())
    return 1 / x.constant(n - 1);
  return apply(arb_hypgeom_expint, x.constant(n), x);
}

// E_0 and E_1 have a pole at 0; GSL has E_1 and E_2 on both sides of it, and E_n beyond them for x >= 0 only.
bool en_is_defined(double n, double x) { return is_int(n) && n >= 0 && (n < 2 ? x != 0 : n == 2 || x >= 0); }

template <int n, bool scaled>
Value fixed_en(const Arguments& a) {
  if (!en_is_defined(n, a[0]))
    return undefined;
  const Ball x = a.ball(0);
  return scaled ? en(n, x) * exp(x) : en(n, x);
}

template <bool scaled>
Value any_en(const Arguments& a) {
  if (!en_is_defined(a[0], a[1]))
    return undefined;
  const Ball x = a.ball(1);
  return scaled ? en(a[0], x) * exp(x) : en(a[0], x);
}

template <bool scaled>
Value expint_ei(const Arguments& a) {
  if (a[0] == 0)
    return undefined;
  const Ball x = a.ball(0);
  return scaled ? ei(x) * exp(-x) : ei(x);
}

Ball shi(const Ball& x) { return apply(arb_hypgeom_shi, x); }
Ball si(const Ball& x) { return apply(arb_hypgeom_si, x); }
Ball ci(const Ball& x) { return apply(arb_hypgeom_ci, x); }

Value chi(const Arguments& a) {
  if (a[0] == 0)
    return undefined;
  return apply(arb_hypgeom_chi, a.constant(std::abs(a[0])));
}

// The integral of exp(-t^3) from 0 to x: the lower incomplete gamma function of 1/3 at x^3, over 3.
Ball expint_3(const Ball& x) {
  if (x.is_zero())
    return x;
  Ball value(x.precision());
  arb_hypgeom_gamma_lower(value.raw(), (x.constant(1) / 3).raw(), pow(x, 3).raw(), 0, x.precision());
  return value / 3;
}

const GslReference references[] = {
    {"gsl_sf_expint_E1", 1, fixed_en<1, false>},
    {"gsl_sf_expint_E2", 1, fixed_en<2, false>},
    {"gsl_sf_expint_E1_scaled", 1, fixed_en<1, true>},
    {"gsl_sf_expint_E2_scaled", 1, fixed_en<2, true>},
    {"gsl_sf_expint_En", 2, any_en<false>},
    {"gsl_sf_expint_En_scaled", 2, any_en<true>},
    {"gsl_sf_expint_Ei", 1, expint_ei<false>},
    {"gsl_sf_expint_Ei_scaled", 1, expint_ei<true>},
    {"gsl_sf_expint_3", 1, not_negative<expint_3>},
    {"gsl_sf_Shi", 1, everywhere<shi>},
    {"gsl_sf_Chi", 1, chi},
    {"gsl_sf_Si", 1, everywhere<si>},
    {"gsl_sf_Ci", 1, positive<ci>},
};

} // namespace

Family exponential_integral_family() { return references; }

} // namespace faultline::benchmarks
