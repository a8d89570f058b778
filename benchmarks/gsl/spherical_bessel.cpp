// f_l(x) = sqrt(pi / 2x) F_(l+1/2)(x), of the cylindrical functions F = J, Y, I, K.
#include "bessel_large_order.h"
#include "families.h"
#include "formula.h"

namespace faultline::benchmarks {
namespace {

Ball spherical(Binary function, double l, const Ball& x) {
  return sqrt(Ball::pi(x.precision()) / (2 * x)) * apply(function, x.constant(l + 0.5), x);
}

// j_l and i_l: f_l(-x) = (-1)^l f_l(x), and f_l(0) is 1 or 0.
Ball even_or_odd(Binary function, double l, const Arguments& a, double x) {
  if (x == 0)
    return a.constant(l == 0 ? 1 : 0);
  const Ball value = spherical(function, l, a.constant(std::abs(x)));
  return x < 0 && is_odd(l) ? -value : value;
}

template <Binary function, int l>
Value order(const Arguments& a) {
  return even_or_odd(function, l, a, a[0]);
}

template <Binary function, int l>
Value positive_order(const Arguments& a) {
  if (a[0] <= 0)
    return undefined;
  return spherical(function, l, a.ball(0));
}

Value bessel_jl(const Arguments& a) {
  if (!is_int(a[0]) || a[0] < 0 || a[1] < 0)
    return undefined;
  return even_or_odd(arb_hypgeom_bessel_j, a[0], a, a[1]);
}

Value bessel_il_scaled(const Arguments& a) {
  if (!is_int(a[0]) || a[0] < 0)
    return undefined;
  return even_or_odd(arb_hypgeom_bessel_i_scaled, a[0], a, a[1]);
}

template <Binary function>
Value positive_any_order(const Arguments& a) {
  if (!is_int(a[0]) || a[0] < 0 || a[1] <= 0)
    return undefined;
  return spherical(function, a[0], a.ball(1));
}

const GslReference references[] = {
    {"gsl_sf_bessel_j0", 1, order<arb_hypgeom_bessel_j, 0>},
    {"gsl_sf_bessel_j1", 1, order<arb_hypgeom_bessel_j, 1>},
    {"gsl_sf_bessel_j2", 1, order<arb_hypgeom_bessel_j, 2>},
    {"gsl_sf_bessel_y0", 1, positive_order<bessel_y, 0>},
    {"gsl_sf_bessel_y1", 1, positive_order<bessel_y, 1>},
    {"gsl_sf_bessel_y2", 1, positive_order<bessel_y, 2>},
    {"gsl_sf_bessel_i0_scaled", 1, order<arb_hypgeom_bessel_i_scaled, 0>},
    {"gsl_sf_bessel_i1_scaled", 1, order<arb_hypgeom_bessel_i_scaled, 1>},
    {"gsl_sf_bessel_i2_scaled", 1, order<arb_hypgeom_bessel_i_scaled, 2>},
    {"gsl_sf_bessel_k0_scaled", 1, positive_order<bessel_k_scaled, 0>},
    {"gsl_sf_bessel_k1_scaled", 1, positive_order<bessel_k_scaled, 1>},
    {"gsl_sf_bessel_k2_scaled", 1, positive_order<bessel_k_scaled, 2>},
    {"gsl_sf_bessel_jl", 2, bessel_jl},
    {"gsl_sf_bessel_yl", 2, positive_any_order<bessel_y>},
    {"gsl_sf_bessel_il_scaled", 2, bessel_il_scaled},
    {"gsl_sf_bessel_kl_scaled", 2, positive_any_order<bessel_k_scaled>},
};

} // namespace

Family spherical_bessel_family() { return references; }

} // namespace faultline::benchmarks
