// Cylindrical Bessel functions of integer and of real order.
#include "bessel_large_order.h"
#include "families.h"
#include "formula.h"

namespace faultline::benchmarks {
namespace {

// J_n and I_n of an exact x of either sign: f_n(-x) = (-1)^n f_n(x). At 0 only f_0 is not 0.
Ball even_or_odd(Binary function, double n, const Arguments& a, double x) {
  if (x == 0)
    return a.constant(n == 0 ? 1 : 0);
  const Ball value = apply(function, a.constant(n), a.constant(std::abs(x)));
  return x < 0 && is_odd(n) ? -value : value;
}

template <Binary function, int n>
Value order(const Arguments& a) {
  return even_or_odd(function, n, a, a[0]);
}

template <Binary function, int n>
Value positive_order(const Arguments& a) {
  if (a[0] <= 0)
    return undefined;
  return apply(function, a.constant(n), a.ball(0));
}

// J_-n = (-1)^n J_n.
Value bessel_Jn(const Arguments& a) {
  if (!is_int(a[0]))
    return undefined;
  const Ball value = even_or_odd(arb_hypgeom_bessel_j, std::abs(a[0]), a, a[1]);
  return a[0] < 0 && is_odd(a[0]) ? -value : value;
}

Value bessel_Yn(const Arguments& a) {
  if (!is_int(a[0]) || a[1] <= 0)
    return undefined;
  const Ball value = apply(bessel_y, a.constant(std::abs(a[0])), a.ball(1));
  return a[0] < 0 && is_odd(a[0]) ? -value : value;
}

// I_-n = I_n, K_-n = K_n.
template <Binary function>
Value bessel_In(const Arguments& a) {
  if (!is_int(a[0]))
    return undefined;
  return even_or_odd(function, std::abs(a[0]), a, a[1]);
}

template <Binary function>
Value bessel_Kn(const Arguments& a) {
  if (!is_int(a[0]) || a[1] <= 0)
    return undefined;
  return apply(function, a.constant(std::abs(a[0])), a.ball(1));
}

template <Binary function>
Value any_order(const Arguments& a) {
  if (a[1] <= 0)
    return undefined;
  return apply(function, a.ball(0), a.ball(1));
}

template <Binary function>
Value bessel_Inu(const Arguments& a) {
  if (a[0] < 0 || a[1] < 0)
    return undefined;
  if (a[1] == 0)
    return a.constant(a[0] == 0 ? 1 : 0);
  return apply(function, a.ball(0), a.ball(1));
}

template <Binary function>
Value bessel_Knu(const Arguments& a) {
  if (a[0] < 0 || a[1] <= 0)
    return undefined;
  return apply(function, a.ball(0), a.ball(1));
}

Value bessel_lnKnu(const Arguments& a) {
  if (a[0] < 0 || a[1] <= 0)
    return undefined;
  return log(apply(bessel_k, a.ball(0), a.ball(1)));
}

const GslReference references[] = {
    {"gsl_sf_bessel_J0", 1, order<arb_hypgeom_bessel_j, 0>},
    {"gsl_sf_bessel_J1", 1, order<arb_hypgeom_bessel_j, 1>},
    {"gsl_sf_bessel_Y0", 1, positive_order<bessel_y, 0>},
    {"gsl_sf_bessel_Y1", 1, positive_order<bessel_y, 1>},
    {"gsl_sf_bessel_I0", 1, order<arb_hypgeom_bessel_i, 0>},
    {"gsl_sf_bessel_I1", 1, order<arb_hypgeom_bessel_i, 1>},
    {"gsl_sf_bessel_I0_scaled", 1, order<arb_hypgeom_bessel_i_scaled, 0>},
    {"gsl_sf_bessel_I1_scaled", 1, order<arb_hypgeom_bessel_i_scaled, 1>},
    {"gsl_sf_bessel_K0", 1, positive_order<bessel_k, 0>},
    {"gsl_sf_bessel_K1", 1, positive_order<bessel_k, 1>},
    {"gsl_sf_bessel_K0_scaled", 1, positive_order<bessel_k_scaled, 0>},
    {"gsl_sf_bessel_K1_scaled", 1, positive_order<bessel_k_scaled, 1>},
    {"gsl_sf_bessel_Jn", 2, bessel_Jn},
    {"gsl_sf_bessel_Yn", 2, bessel_Yn},
    {"gsl_sf_bessel_In", 2, bessel_In<arb_hypgeom_bessel_i>},
    {"gsl_sf_bessel_In_scaled", 2, bessel_In<arb_hypgeom_bessel_i_scaled>},
    {"gsl_sf_bessel_Kn", 2, bessel_Kn<bessel_k>},
    {"gsl_sf_bessel_Kn_scaled", 2, bessel_Kn<bessel_k_scaled>},
    {"gsl_sf_bessel_Jnu", 2, any_order<arb_hypgeom_bessel_j>},
    {"gsl_sf_bessel_Ynu", 2, any_order<bessel_y>},
    {"gsl_sf_bessel_Inu", 2, bessel_Inu<arb_hypgeom_bessel_i>},
    {"gsl_sf_bessel_Inu_scaled", 2, bessel_Inu<arb_hypgeom_bessel_i_scaled>},
    {"gsl_sf_bessel_Knu", 2, bessel_Knu<bessel_k>},
    {"gsl_sf_bessel_Knu_scaled", 2, bessel_Knu<bessel_k_scaled>},
    {"gsl_sf_bessel_lnKnu", 2, bessel_lnKnu},
};

} // namespace

Family bessel_family() { return references; }

} // namespace faultline::benchmarks
