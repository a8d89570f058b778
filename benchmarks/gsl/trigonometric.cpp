#include "families.h"
#include "formula.h"

namespace faultline::benchmarks {
namespace {

// sin(pi x) / (pi x); 0 at every integer but 0.
Ball sinc(const Ball& x) { return x.is_zero() ? x.constant(1) : sin_pi(x) / (Ball::pi(x.precision()) * x); }

// log(sinh x) and log(cosh x), of exponentials that cannot grow. Near 0, cosh x - 1 = 2 sinh^2(x/2).
Ball lnsinh(const Ball& x) { return x + log(-expm1(-2 * x) / 2); }
Value lncosh(const Arguments& a) {
  const Ball x = abs(a.ball(0));
  if (std::abs(a[0]) < 1)
    return log1p(2 * square(sinh(x / 2)));
  return x + log((1 + exp(-2 * x)) / 2);
}

const GslReference references[] = {
    {"gsl_sf_sin", 1, everywhere<sin>},
    {"gsl_sf_cos", 1, everywhere<cos>},
    {"gsl_sf_sin_pi", 1, everywhere<sin_pi>},
    {"gsl_sf_cos_pi", 1, everywhere<cos_pi>},
    {"gsl_sf_sinc", 1, everywhere<sinc>},
    {"gsl_sf_lnsinh", 1, positive<lnsinh>},
    {"gsl_sf_lncosh", 1, lncosh},
};

} // namespace

Family trigonometric_family() { return references; }

} // namespace faultline::benchmarks
