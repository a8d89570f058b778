// The logarithmic derivatives of the gamma function.
#include "complex_ball.h"
#include "families.h"
#include "formula.h"
#include "hurwitz.h"

namespace faultline::benchmarks {
namespace {

// Below 0 by reflection. Arb's own needs as many steps as |x| is large.
Ball psi(const Ball& x) {
  if (!x.is_certainly_negative())
    return apply(arb_digamma, x);
  return apply(arb_digamma, 1 - x) - Ball::pi(x.precision()) * cos_pi(x) / sin_pi(x);
}

Ball trigamma(const Ball& x) {
  if (!x.is_certainly_negative())
    return hurwitz_zeta(x.constant(2), x);
  return square(Ball::pi(x.precision()) / sin_pi(x)) - hurwitz_zeta(x.constant(2), 1 - x);
}

template <Ball (*function)(const Ball&)>
Value off_poles(const Arguments& a) {
  if (is_gamma_pole(a[0]))
    return Ball::infinite(a.precision);
  return function(a.ball(0));
}

template <Ball (*function)(const Ball&)>
Value of_positive_int(const Arguments& a) {
  if (!is_int(a[0]) || a[0] <= 0)
    return undefined;
  return function(a.ball(0));
}

// The real part of psi(1 + iy).
Ball psi_1piy(const Ball& y) {
  ComplexBall value(y.precision());
  acb_digamma(value.raw(), ComplexBall(y.constant(1), y).raw(), y.precision());
  return value.real();
}

// From the second derivative on, GSL has x > 0 only: (-1)^(n+1) n! zeta(n + 1, x).
Value psi_n(const Arguments& a) {
  if (!is_int(a[0]) || a[0] < 0 || (a[0] >= 2 && a[1] <= 0))
    return undefined;
  if (is_gamma_pole(a[1]))
    return Ball::infinite(a.precision);
  const Ball x = a.ball(1);
  if (a[0] < 2)
    return a[0] == 0 ? psi(x) : trigamma(x);
  const Ball value = gamma(a.constant(a[0] + 1)) * hurwitz_zeta(a.constant(a[0] + 1), x);
  return is_odd(a[0]) ? value : -value;
}

const GslReference references[] = {
    {"gsl_sf_psi", 1, off_poles<psi>},
    {"gsl_sf_psi_1piy", 1, everywhere<psi_1piy>},
    {"gsl_sf_psi_1", 1, off_poles<trigamma>},
    {"gsl_sf_psi_int", 1, of_positive_int<psi>},
    {"gsl_sf_psi_1_int", 1, of_positive_int<trigamma>},
    {"gsl_sf_psi_n", 2, psi_n},
};

} // namespace

Family psi_family() { return references; }

} // namespace faultline::benchmarks
