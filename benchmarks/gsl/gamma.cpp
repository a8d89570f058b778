// The gamma function, factorials, beta.
#include "families.h"
#include "gamma_function.h"

namespace faultline::benchmarks {

Ball exact_sum(std::initializer_list<double> terms, slong precision) {
  Ball sum(precision);
  for (double term : terms)
    arb_add(sum.raw(), sum.raw(), Ball(term, precision).raw(), ARF_PREC_EXACT);
  return sum;
}

bool is_gamma_pole(const Ball& exact) { return arb_is_int(exact.raw()) && !exact.is_certainly_positive(); }

Ball log_abs_gamma(const Ball& x) {
  if (x.is_certainly_positive()) {
    if (arb_equal_si(x.raw(), 1) || arb_equal_si(x.raw(), 2))
      return x.constant(0);
    return apply(arb_hypgeom_lgamma, x);
  }
  return log(Ball::pi(x.precision()) / abs(sin_pi(x))) - apply(arb_hypgeom_lgamma, 1 - x);
}

namespace {

template <Ball (*function)(const Ball&)>
Value off_poles(const Arguments& a) {
  if (is_gamma_pole(a[0]))
    return Ball::infinite(a.precision);
  return function(a.ball(0));
}

// gamma(x) / (sqrt(2 pi) x^(x - 1/2) exp(-x))
Ball gammastar(const Ball& x) {
  return exp(log_abs_gamma(x) - (x - 0.5) * log(x) + x) / sqrt(2 * Ball::pi(x.precision()));
}

Ball log_factorial(const Ball& n) { return log_abs_gamma(n + 1); }
Ball factorial(const Ball& n) { return gamma(n + 1); }

// n!! = 2^(n/2) gamma(n/2 + 1), times sqrt(2 / pi) for odd n.
Ball log_double_factorial(const Ball& n) {
  const Ball half = n / 2;
  Ball value = half * log(n.constant(2)) + log_abs_gamma(half + 1);
  return arb_is_int(half.raw()) ? value : value + log(2 / Ball::pi(n.precision())) / 2;
}

template <Ball (*function)(const Ball&)>
Value of_unsigned(const Arguments& a) {
  if (!is_unsigned(a[0]))
    return undefined;
  return function(a.ball(0));
}

Value doublefact(const Arguments& a) {
  if (!is_unsigned(a[0]))
    return undefined;
  return exp(log_double_factorial(a.ball(0)));
}

Value lndoublefact(const Arguments& a) {
  if (!is_unsigned(a[0]))
    return undefined;
  return a[0] < 2 ? a.constant(0) : log_double_factorial(a.ball(0));
}

Ball log_binomial(const Arguments& a) {
  return log_factorial(a.ball(0)) - log_factorial(a.ball(1)) - log_factorial(a.constant(a[0] - a[1]));
}

bool is_binomial(const Arguments& a) { return is_unsigned(a[0]) && is_unsigned(a[1]) && a[1] <= a[0]; }

Value choose(const Arguments& a) {
  if (!is_binomial(a))
    return undefined;
  return exp(log_binomial(a));
}

Value lnchoose(const Arguments& a) {
  if (!is_binomial(a))
    return undefined;
  return a[1] == 0 || a[1] == a[0] ? a.constant(0) : log_binomial(a);
}

Value taylorcoeff(const Arguments& a) {
  if (!is_int(a[0]) || a[0] < 0 || a[1] < 0)
    return undefined;
  if (a[1] == 0)
    return a.constant(a[0] == 0 ? 1 : 0);
  return exp(a.ball(0) * log(a.ball(1)) - log_factorial(a.ball(0)));
}

// gamma(a) gamma(b) / gamma(a + b): 0 where only the denominator has a pole.
Value beta(const Arguments& a) {
  if (is_gamma_pole(a[0]) || is_gamma_pole(a[1]))
    return undefined;
  const Ball sum = exact_sum({a[0], a[1]}, a.precision);
  if (is_gamma_pole(sum))
    return a.constant(0);
  return gamma(a.ball(0)) * gamma(a.ball(1)) * reciprocal_gamma(sum);
}

// The sign changes at each pole: below 0 it is that of (-1)^floor(x).
int gamma_sign(const Ball& x) {
  if (x.is_certainly_positive())
    return 1;
  Ball half_floor(x.precision());
  arf_floor(arb_midref(half_floor.raw()), arb_midref(x.raw()));
  arb_mul_2exp_si(half_floor.raw(), half_floor.raw(), -1);
  return arb_is_int(half_floor.raw()) ? 1 : -1;
}

// GSL refuses the logarithm of a negative beta.
Value lnbeta(const Arguments& a) {
  const Ball sum = exact_sum({a[0], a[1]}, a.precision);
  if (is_gamma_pole(a[0]) || is_gamma_pole(a[1]) || is_gamma_pole(sum) ||
      gamma_sign(a.ball(0)) * gamma_sign(a.ball(1)) * gamma_sign(sum) < 0)
    return undefined;
  return log_abs_gamma(a.ball(0)) + log_abs_gamma(a.ball(1)) - log_abs_gamma(sum);
}

const GslReference references[] = {
    {"gsl_sf_gamma", 1, off_poles<gamma>},
    {"gsl_sf_lngamma", 1, off_poles<log_abs_gamma>},
    {"gsl_sf_gammastar", 1, positive<gammastar>},
    {"gsl_sf_gammainv", 1, everywhere<reciprocal_gamma>},
    {"gsl_sf_fact", 1, of_unsigned<factorial>},
    {"gsl_sf_lnfact", 1, of_unsigned<log_factorial>},
    {"gsl_sf_doublefact", 1, doublefact},
    {"gsl_sf_lndoublefact", 1, lndoublefact},
    {"gsl_sf_choose", 2, choose},
    {"gsl_sf_lnchoose", 2, lnchoose},
    {"gsl_sf_taylorcoeff", 2, taylorcoeff},
    {"gsl_sf_beta", 2, beta},
    {"gsl_sf_lnbeta", 2, lnbeta},
};

} // namespace

Family gamma_family() { return references; }

} // namespace faultline::benchmarks
