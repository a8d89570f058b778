// Exponentials, logarithms, powers.
#include "families.h"
#include "formula.h"
#include "kummer.h"

namespace faultline::benchmarks {
namespace {

// exprel_n(x) = n! / x^n (exp(x) - the first n terms of its series); 1 at 0.
Ball exprel(const Ball& x) { return x.is_zero() ? x.constant(1) : expm1(x) / x; }
Ball exprel_2(const Ball& x) { return x.is_zero() ? x.constant(1) : 2 * (expm1(x) - x) / square(x); }

// For |x| > n: the definition, in which the last of the n terms is the largest.
Ball exprel_by_definition(double n, const Ball& x) {
  Ball sum = exp(x), term = x.constant(1);
  for (double k = 0; k < n; ++k) {
    sum = sum - term;
    term = term * x / (k + 1);
  }
  return sum / term;
}

Value exprel_n(const Arguments& a) {
  constexpr double largest_order = 20000; // for the definition
  if (!is_int(a[0]) || a[0] < 0)
    return undefined;
  if (std::abs(a[1]) <= a[0])
    return kummer_series(a.ball(0), a.ball(1));
  return a[0] > largest_order ? Ball::unknown(a.precision) : exprel_by_definition(a[0], a.ball(1));
}

Value log_abs(const Arguments& a) {
  if (a[0] == 0)
    return undefined;
  return log(abs(a.ball(0)));
}

Value log_1plusx(const Arguments& a) {
  if (a[0] <= -1)
    return undefined;
  return log1p(a.ball(0));
}

Value log_1plusx_mx(const Arguments& a) {
  if (a[0] <= -1)
    return undefined;
  return log1p(a.ball(0)) - a.ball(0);
}

Value exp_mult(const Arguments& a) { return exp(a.ball(0)) * a.ball(1); }
Value multiply(const Arguments& a) { return a.ball(0) * a.ball(1); }
Value hypot(const Arguments& a) { return sqrt(square(a.ball(0)) + square(a.ball(1))); }

Value pow_int(const Arguments& a) {
  if (!is_int(a[1]) || (a[0] == 0 && a[1] < 0))
    return undefined;
  const Ball power = pow(a.ball(0), static_cast<unsigned long>(std::abs(a[1])));
  return a[1] < 0 ? 1 / power : power;
}

const GslReference references[] = {
    {"gsl_sf_exp", 1, everywhere<exp>},       {"gsl_sf_expm1", 1, everywhere<expm1>},
    {"gsl_sf_exprel", 1, everywhere<exprel>}, {"gsl_sf_exprel_2", 1, everywhere<exprel_2>},
    {"gsl_sf_exprel_n", 2, exprel_n},         {"gsl_sf_exp_mult", 2, exp_mult},
    {"gsl_sf_log", 1, positive<log>},         {"gsl_sf_log_abs", 1, log_abs},
    {"gsl_sf_log_1plusx", 1, log_1plusx},     {"gsl_sf_log_1plusx_mx", 1, log_1plusx_mx},
    {"gsl_sf_multiply", 2, multiply},         {"gsl_sf_hypot", 2, hypot},
    {"gsl_sf_pow_int", 2, pow_int},
};

} // namespace

Family elementary_family() { return references; }

} // namespace faultline::benchmarks
