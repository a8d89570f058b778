#include "complex_ball.h"
#include "families.h"
#include "formula.h"

namespace faultline::benchmarks {
namespace {

Ball p1(const Ball& x) { return x; }
Ball p2(const Ball& x) { return (3 * square(x) - 1) / 2; }
Ball p3(const Ball& x) { return x * (5 * square(x) - 3) / 2; }

Value pl(const Arguments& a) {
  if (!is_int(a[0]) || a[0] < 0 || std::abs(a[1]) > 1)
    return undefined;
  if (a[1] == 0 && is_odd(a[0]))
    return a.constant(0);
  Ball value(a.precision);
  arb_hypgeom_legendre_p_ui(value.raw(), nullptr, static_cast<ulong>(a[0]), a.ball(1).raw(), a.precision);
  return value;
}

// On both sides of 1: log |(1 + x) / (1 - x)| / 2.
bool q_is_defined(double x) { return x > -1 && x != 1; }
Ball q0(const Ball& x) { return (log1p(x) - log(abs(1 - x))) / 2; }
Ball q1(const Ball& x) { return x * q0(x) - 1; }

// Above 1: sqrt(pi) gamma(l + 1) / gamma(l + 3/2) / (2x)^(l+1) 2F1((l+2)/2, (l+1)/2; l + 3/2; 1/x^2).
Ball ql_above_1(const Ball& l, const Ball& x) {
  Ball series(x.precision());
  arb_hypgeom_2f1(series.raw(), ((l + 2) / 2).raw(), ((l + 1) / 2).raw(), (l + 1.5).raw(), (1 / square(x)).raw(), 0,
                  x.precision());
  return sqrt(Ball::pi(x.precision())) * gamma(l + 1) * reciprocal_gamma(l + 1.5) / pow(2 * x, l + 1) * series;
}

// Between -1 and 1 the recurrence (k+1) Q_(k+1) = (2k+1) x Q_k - k Q_(k-1) loses few bits.
Ball ql_by_recurrence(long l, const Ball& x) {
  Ball previous = q0(x), current = q1(x);
  for (long k = 1; k < l; ++k) {
    const auto order = static_cast<double>(k);
    Ball next = ((2 * order + 1) * x * current - order * previous) / (order + 1);
    previous = std::move(current);
    current = std::move(next);
  }
  return current;
}

template <Ball (*function)(const Ball&)>
Value fixed_q(const Arguments& a) {
  if (!q_is_defined(a[0]))
    return undefined;
  return function(a.ball(0));
}

Value ql(const Arguments& a) {
  if (!is_int(a[0]) || a[0] < 0 || !q_is_defined(a[1]))
    return undefined;
  if (a[0] < 2)
    return a[0] == 0 ? q0(a.ball(1)) : q1(a.ball(1));
  if (a[1] == 0 && !is_odd(a[0]))
    return a.constant(0);
  if (a[1] > 1)
    return ql_above_1(a.ball(0), a.ball(1));
  constexpr double longest_recurrence = 20000;
  if (a[0] > longest_recurrence)
    return Ball::unknown(a.precision);
  return ql_by_recurrence(static_cast<long>(a[0]), a.ball(1));
}

// The conical function P_(-1/2 + i lambda)(x) = 2F1(1/2 - i lambda, 1/2 + i lambda; 1; (1 - x)/2).
Value conical_0(const Arguments& a) {
  if (a[1] <= -1)
    return undefined;
  if (a[1] == 1)
    return a.constant(1);
  constexpr double largest_lambda = 10000; // beyond it the series takes seconds
  if (std::abs(a[0]) > largest_lambda)
    return Ball::unknown(a.precision);
  const Ball half = a.constant(0.5), lambda = a.ball(0);
  ComplexBall value(a.precision);
  acb_hypgeom_2f1(value.raw(), ComplexBall(half, -lambda).raw(), ComplexBall(half, lambda).raw(),
                  ComplexBall(a.constant(1)).raw(), ComplexBall((1 - a.ball(1)) / 2).raw(), 0, a.precision);
  return value.real();
}

const GslReference references[] = {
    {"gsl_sf_legendre_P1", 1, everywhere<p1>},
    {"gsl_sf_legendre_P2", 1, everywhere<p2>},
    {"gsl_sf_legendre_P3", 1, everywhere<p3>},
    {"gsl_sf_legendre_Q0", 1, fixed_q<q0>},
    {"gsl_sf_legendre_Q1", 1, fixed_q<q1>},
    {"gsl_sf_legendre_Pl", 2, pl},
    {"gsl_sf_legendre_Ql", 2, ql},
    {"gsl_sf_conicalP_0", 2, conical_0},
};

} // namespace

Family legendre_family() { return references; }

} // namespace faultline::benchmarks
