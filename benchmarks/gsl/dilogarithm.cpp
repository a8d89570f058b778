// The dilogarithm and what is made of it: Clausen's integral, the arctangent integral.
#include <algorithm>

#include "complex_ball.h"
#include "families.h"
#include "formula.h"

namespace faultline::benchmarks {
namespace {

// The real part; above 1 Li_2 is complex.
Ball dilog(const Ball& x) {
  ComplexBall value(x.precision());
  acb_hypgeom_dilog(value.raw(), ComplexBall(x).raw(), x.precision());
  return value.real();
}

// The imaginary part of Li_2(ix). Beyond 1 from its value at 1/x.
Ball atanint(const Ball& x) {
  ComplexBall value(x.precision());
  acb_hypgeom_dilog(value.raw(), ComplexBall(x.constant(0), x).raw(), x.precision());
  return value.imaginary();
}

Value atanint_anywhere(const Arguments& a) {
  const Ball x = a.constant(std::abs(a[0]));
  if (a[0] == 0)
    return x;
  const Ball value = std::abs(a[0]) <= 1 ? atanint(x) : atanint(1 / x) + Ball::pi(a.precision) / 2 * log(x);
  return a[0] < 0 ? -value : value;
}

// Cl_2(t) = t - t log |t| + the sum of |B_2k| t^(2k+1) / (2k (2k+1)!), |t| < 2 pi; |B_2k| / (2k)! <= 4 / (2 pi)^2k.
Ball clausen_near_0(const Ball& t) {
  const slong precision = t.precision();
  const Ball t_squared = square(t), ratio = t_squared / square(2 * Ball::pi(precision));
  Ball sum(precision), bernoulli(precision), power = t_squared, tail = ratio;
  for (long k = 1; !tail.is_certainly_below_2exp(-precision); ++k) {
    arb_bernoulli_ui(bernoulli.raw(), static_cast<ulong>(2 * k), precision);
    const auto order = static_cast<double>(2 * k);
    sum += abs(bernoulli) * power / (order * (order + 1) * factorial(static_cast<unsigned long>(2 * k), precision));
    power *= t_squared;
    tail *= ratio;
  }
  sum.add_error(4 * tail / (1 - ratio));
  return t * (1 - log(abs(t)) + sum);
}

// The angle is reduced to |t| <= pi, give or take the rounding of the number of turns.
Ball clausen(const Ball& x) {
  if (x.is_zero())
    return x;
  const slong wide = x.precision() + std::max<slong>(0, arf_abs_bound_lt_2exp_si(arb_midref(x.raw())));
  const Ball two_pi = 2 * Ball::pi(wide);
  Ball turns(wide);
  arf_floor(arb_midref(turns.raw()), arb_midref((x / two_pi + 0.5).raw()));
  const Ball t = (x - turns * two_pi).at(x.precision());
  if (!t.is_certainly_below_2exp(2))
    return Ball::unknown(x.precision());
  return clausen_near_0(t);
}

const GslReference references[] = {
    {"gsl_sf_dilog", 1, everywhere<dilog>},
    {"gsl_sf_atanint", 1, atanint_anywhere},
    {"gsl_sf_clausen", 1, everywhere<clausen>},
};

} // namespace

Family dilogarithm_family() { return references; }

} // namespace faultline::benchmarks
