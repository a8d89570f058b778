// Riemann's and Hurwitz' zeta, and Dirichlet's eta.
#include "families.h"
#include "formula.h"
#include "hurwitz.h"

namespace faultline::benchmarks {
namespace {

bool is_trivial_zero(double s) { return s < 0 && std::fmod(s, 2) == 0; }

// Well below 0 by reflection: 2 (2 pi)^(s-1) sin(pi s / 2) gamma(1 - s) zeta(1 - s).
Ball zeta(double s, slong precision) {
  const Ball exact(s, precision);
  if (is_trivial_zero(s))
    return exact.constant(0);
  if (s > 1)
    return 1 + hurwitz_zeta(exact, exact.constant(2));
  if (s > -1)
    return apply(arb_zeta, exact);
  const Ball mirror = 1 - exact;
  return 2 * pow(2 * Ball::pi(precision), -mirror) * sin_pi(exact / 2) * gamma(mirror) *
         (1 + hurwitz_zeta(mirror, exact.constant(2)));
}

Ball zeta_minus_1(double s, slong precision) {
  if (s > 1)
    return hurwitz_zeta(Ball(s, precision), Ball(2, precision));
  return zeta(s, precision) - 1;
}

// (1 - 2^(1-s)) zeta(s); at the pole of zeta, log 2.
Ball eta(double s, slong precision) {
  const Ball exact(s, precision), log_2 = log(exact.constant(2));
  if (s == 1)
    return log_2;
  return -expm1((1 - exact) * log_2) * zeta(s, precision);
}

template <Ball (*function)(double, slong)>
Value off_pole(const Arguments& a) {
  if (a[0] == 1)
    return undefined;
  return function(a[0], a.precision);
}

template <Ball (*function)(double, slong)>
Value int_off_pole(const Arguments& a) {
  if (!is_int(a[0]))
    return undefined;
  return off_pole<function>(a);
}

Value eta_anywhere(const Arguments& a) { return eta(a[0], a.precision); }

Value eta_int(const Arguments& a) {
  if (!is_int(a[0]))
    return undefined;
  return eta(a[0], a.precision);
}

Value hzeta(const Arguments& a) {
  if (a[0] <= 1 || a[1] <= 0)
    return undefined;
  return hurwitz_zeta(a.ball(0), a.ball(1));
}

const GslReference references[] = {
    {"gsl_sf_zeta", 1, off_pole<zeta>},
    {"gsl_sf_zetam1", 1, off_pole<zeta_minus_1>},
    {"gsl_sf_eta", 1, eta_anywhere},
    {"gsl_sf_zeta_int", 1, int_off_pole<zeta>},
    {"gsl_sf_zetam1_int", 1, int_off_pole<zeta_minus_1>},
    {"gsl_sf_eta_int", 1, eta_int},
    {"gsl_sf_hzeta", 2, hzeta},
};

} // namespace

Family zeta_family() { return references; }

} // namespace faultline::benchmarks
