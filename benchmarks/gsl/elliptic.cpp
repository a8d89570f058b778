// Elliptic integrals, in Carlson's forms. GSL takes the modulus k, not the parameter m = k^2, and the characteristic n
// with the sign of 1 + n sin^2.
#include <algorithm>

#include <acb_elliptic.h>
#include <cfloat>

#include "complex_ball.h"
#include "families.h"
#include "formula.h"

namespace faultline::benchmarks {
namespace {

Ball rf(const Ball& x, const Ball& y, const Ball& z) {
  ComplexBall value(x.precision());
  acb_elliptic_rf(value.raw(), ComplexBall(x).raw(), ComplexBall(y).raw(), ComplexBall(z).raw(), 0, x.precision());
  return value.real();
}

Ball rj(const Ball& x, const Ball& y, const Ball& z, const Ball& p) {
  ComplexBall value(x.precision());
  acb_elliptic_rj(value.raw(), ComplexBall(x).raw(), ComplexBall(y).raw(), ComplexBall(z).raw(), ComplexBall(p).raw(),
                  0, x.precision());
  return value.real();
}

Ball rd(const Ball& x, const Ball& y, const Ball& z) { return rj(x, y, z, z); }

// The integrands at one amplitude: s = sin, c2 = cos^2, d2 = 1 - k^2 sin^2.
struct Amplitude {
  Ball s, c2, d2, k2;

  Ball one() const { return s.constant(1); }
  Ball f() const { return s * rf(c2, d2, one()); }
  Ball d() const { return s * square(s) * rd(c2, d2, one()) / 3; }
  Ball e() const { return f() - k2 * d(); }
  Ball p(const Ball& n) const { return f() - n * s * square(s) * rj(c2, d2, one(), 1 + n * square(s)) / 3; }
};

// At pi/2, where the integrals are complete.
Amplitude complete(const Ball& k) { return {k.constant(1), k.constant(0), (1 - k) * (1 + k), square(k)}; }

// An amplitude phi = r + half_turns pi with |r| <= pi/2. Every half turn adds twice the complete integral.
struct Reduced {
  Amplitude rest;
  Ball half_turns;
  bool is_turned() const { return !half_turns.is_zero(); }
};

Reduced reduce(const Ball& phi, const Ball& k) {
  const Ball pi = Ball::pi(phi.precision());
  Ball half_turns(phi.precision());
  arf_floor(arb_midref(half_turns.raw()), arb_midref((phi / pi + 0.5).raw()));
  const Ball r = half_turns.is_zero() ? phi : phi - half_turns * pi;
  const Ball s = sin(r), c = cos(r);
  return {{s, square(c), square(c) + (1 - k) * (1 + k) * square(s), square(k)}, half_turns};
}

template <Ball (Amplitude::*integral)() const>
Value incomplete(const Arguments& a) {
  const Ball k = a.ball(1);
  const Reduced phi = reduce(a.ball(0), k);
  if (phi.rest.d2.is_certainly_negative() || (phi.is_turned() && std::abs(a[1]) >= 1))
    return undefined;
  const Ball rest = (phi.rest.*integral)();
  return phi.is_turned() ? rest + 2 * phi.half_turns * (complete(k).*integral)() : rest;
}

Value ellint_P(const Arguments& a) {
  const Ball k = a.ball(1), n = a.ball(2);
  const Reduced phi = reduce(a.ball(0), k);
  if (phi.rest.d2.is_certainly_negative() || (1 + n * square(phi.rest.s)).is_certainly_negative() ||
      (phi.is_turned() && (std::abs(a[1]) >= 1 || a[2] <= -1)))
    return undefined;
  const Ball rest = phi.rest.p(n);
  return phi.is_turned() ? rest + 2 * phi.half_turns * complete(k).p(n) : rest;
}

template <Ball (Amplitude::*integral)() const>
Value complete(const Arguments& a) {
  if (std::abs(a[0]) >= 1)
    return undefined;
  return (complete(a.ball(0)).*integral)();
}

Value ellint_Pcomp(const Arguments& a) {
  if (std::abs(a[0]) >= 1 || a[1] <= -1)
    return undefined;
  return complete(a.ball(0)).p(a.ball(1));
}

// Carlson's forms themselves have, in GSL, domains that end short of overflow and underflow.
Value ellint_RC(const Arguments& a) {
  if (a[0] < 0 || a[1] <= 0 || a[0] + a[1] < 5 * DBL_MIN || std::max(a[0], a[1]) >= 0.2 * DBL_MAX)
    return undefined;
  return rf(a.ball(0), a.ball(1), a.ball(1));
}

Value ellint_RF(const Arguments& a) {
  if (a[0] < 0 || a[1] < 0 || a[2] < 0 || a[0] + a[1] < 5 * DBL_MIN || a[0] + a[2] < 5 * DBL_MIN ||
      a[1] + a[2] < 5 * DBL_MIN || std::max({a[0], a[1], a[2]}) >= 0.2 * DBL_MAX)
    return undefined;
  return rf(a.ball(0), a.ball(1), a.ball(2));
}

Value ellint_RD(const Arguments& a) {
  const double least = 2 / std::pow(DBL_MAX, 2.0 / 3), most = std::pow(0.1 * 0.001 / DBL_MIN, 2.0 / 3);
  if (a[0] < 0 || a[1] < 0 || a[0] + a[1] < least || a[2] < least || std::max({a[0], a[1], a[2]}) >= most)
    return undefined;
  return rd(a.ball(0), a.ball(1), a.ball(2));
}

const GslReference references[] = {
    {"gsl_sf_ellint_Kcomp", 1, complete<&Amplitude::f>},
    {"gsl_sf_ellint_Ecomp", 1, complete<&Amplitude::e>},
    {"gsl_sf_ellint_Dcomp", 1, complete<&Amplitude::d>},
    {"gsl_sf_ellint_Pcomp", 2, ellint_Pcomp},
    {"gsl_sf_ellint_F", 2, incomplete<&Amplitude::f>},
    {"gsl_sf_ellint_E", 2, incomplete<&Amplitude::e>},
    {"gsl_sf_ellint_D", 2, incomplete<&Amplitude::d>},
    {"gsl_sf_ellint_P", 3, ellint_P},
    {"gsl_sf_ellint_RC", 2, ellint_RC},
    {"gsl_sf_ellint_RF", 3, ellint_RF},
    {"gsl_sf_ellint_RD", 3, ellint_RD},
};

} // namespace

Family elliptic_family() { return references; }

} // namespace faultline::benchmarks
