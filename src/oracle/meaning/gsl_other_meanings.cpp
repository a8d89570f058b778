// GSL: elementary functions, error functions, exponential and other integrals.
#include "oracle/meaning/catalogue_entry.h"

namespace faultline::oracle {
namespace {

// Debye's function n/x^n times the integral of t^n/(exp(t) - 1), and the transport integrals of
// t^n exp(t)/(exp(t) - 1)^2, from 0 to x: with t = x u, so that nothing is lost near 0; from 1 on by polylogarithms,
// which is faster. The integral of K(5/3, t) from x to infinity: by the series of its antiderivative, and the constant
// that belongs to it; from 2000 on it is about exp(-x), below every double.
// clang-format off
constexpr CatalogueEntry table[] = {
  {"gsl_sf_exp", "x", "exp(x)"},
  {"gsl_sf_expm1", "x", "expm1(x)"},
  {"gsl_sf_exprel", "x", "exprel(x)"},
  {"gsl_sf_exprel_2", "x", "hyp1f1(1, 3, x)"},
  {"gsl_sf_exprel_n", "n:i x", "if(n < 0, undefined, hyp1f1(1, n + 1, x))"},
  {"gsl_sf_exp_mult", "x y", "y*exp(x)"},
  {"gsl_sf_log", "x", "log(x)"},
  {"gsl_sf_log_abs", "x", "log(abs(x))"},
  {"gsl_sf_log_1plusx", "x", "log1p(x)"},
  {"gsl_sf_log_1plusx_mx", "x", "log1p(x) - x"},
  {"gsl_sf_sin", "x", "sin(x)"},
  {"gsl_sf_cos", "x", "cos(x)"},
  {"gsl_sf_sin_pi", "x", "sinpi(x)"},
  {"gsl_sf_cos_pi", "x", "cospi(x)"},
  {"gsl_sf_sinc", "x", "if(x == 0, 1, sinpi(x)/(pi*x))"},
  {"gsl_sf_lnsinh", "x", "if(x <= 0, undefined, x + log1p(-exp(-2*x)) - log(2))"},
  {"gsl_sf_lncosh", "x", "abs(x) + log1p(exp(-2*abs(x))) - log(2)"},
  {"gsl_sf_hypot", "x y", "hypot(x, y)"},
  {"gsl_sf_pow_int", "x n:i", "x^n"},
  {"gsl_sf_erf", "x", "erf(x)"},
  {"gsl_sf_erfc", "x", "erfc(x)"},
  {"gsl_sf_log_erfc", "x", "log(erfc(x))"},
  {"gsl_sf_erf_Z", "x", "exp(-x^2/2)/sqrt(2*pi)"},
  {"gsl_sf_erf_Q", "x", "erfc(x/sqrt(2))/2"},
  {"gsl_sf_hazard", "x", "if(x > 1, sqrt(2)/hyperu(1/2, 1/2, x^2/2), sqrt(2/pi)*exp(-x^2/2)/erfc(x/sqrt(2)))"},
  {"gsl_sf_dawson", "x", "dawson(x)"},
  {"gsl_sf_expint_E1", "x", "-ei(-x)"},
  {"gsl_sf_expint_E2", "x", "if(x == 0, 1, exp(-x) + x*ei(-x))"},
  {"gsl_sf_expint_En", "n:i x", "if(n == 0, exp(-x)/x, if(n == 1, -ei(-x), if(n == 2 and x < 0, exp(-x) + x*ei(-x), if(n < 0 or x < 0, undefined, expint(n, x)))))"},
  {"gsl_sf_expint_E1_scaled", "x", "-exp(x)*ei(-x)"},
  {"gsl_sf_expint_E2_scaled", "x", "if(x == 0, 1, 1 + x*exp(x)*ei(-x))"},
  {"gsl_sf_expint_En_scaled", "n:i x", "if(n == 0, 1/x, if(n == 1, -exp(x)*ei(-x), if(n == 2 and x < 0, 1 + x*exp(x)*ei(-x), if(n < 0 or x < 0, undefined, exp(x)*expint(n, x)))))"},
  {"gsl_sf_expint_Ei", "x", "ei(x)"},
  {"gsl_sf_expint_Ei_scaled", "x", "exp(-x)*ei(x)"},
  {"gsl_sf_expint_3", "x", "if(x < 0, undefined, if(x == 0, 0, gammalower(1/3, x^3)/3))"},
  {"gsl_sf_Shi", "x", "shi(x)"},
  {"gsl_sf_Chi", "x", "re(chi(x))"},
  {"gsl_sf_Si", "x", "si(x)"},
  {"gsl_sf_Ci", "x", "ci(x)"},
  {"gsl_sf_atanint", "x", "im(polylog(2, j*x))"},
  {"gsl_sf_fermi_dirac_m1", "x", "1/(1 + exp(-x))"},
  {"gsl_sf_fermi_dirac_0", "x", "log1p(exp(x))"},
  {"gsl_sf_fermi_dirac_1", "x", "-polylog(2, -exp(x))"},
  {"gsl_sf_fermi_dirac_2", "x", "-polylog(3, -exp(x))"},
  {"gsl_sf_fermi_dirac_int", "k:i x", "-polylog(k + 1, -exp(x))"},
  {"gsl_sf_fermi_dirac_mhalf", "x", "-polylog(1/2, -exp(x))"},
  {"gsl_sf_fermi_dirac_half", "x", "-polylog(3/2, -exp(x))"},
  {"gsl_sf_fermi_dirac_3half", "x", "-polylog(5/2, -exp(x))"},
  {"gsl_sf_fermi_dirac_inc_0", "x b", "if(b < 0, undefined, log1p(exp(b - x)) - (b - x))"},
  {"gsl_sf_debye_1", "x",
   "if(x < 0, undefined, if(x < 1, 1*integral(u, 0, 1, u^0/exprel(x*u)), "
   "1/x^1*(factorial(1)*zeta(2) - sum(k, 0, 1, ff(1, k)*x^(1 - k)*polylog(k + 1, exp(-x))))))"},
  {"gsl_sf_debye_2", "x",
   "if(x < 0, undefined, if(x < 1, 2*integral(u, 0, 1, u^1/exprel(x*u)), "
   "2/x^2*(factorial(2)*zeta(3) - sum(k, 0, 2, ff(2, k)*x^(2 - k)*polylog(k + 1, exp(-x))))))"},
  {"gsl_sf_debye_3", "x",
   "if(x < 0, undefined, if(x < 1, 3*integral(u, 0, 1, u^2/exprel(x*u)), "
   "3/x^3*(factorial(3)*zeta(4) - sum(k, 0, 3, ff(3, k)*x^(3 - k)*polylog(k + 1, exp(-x))))))"},
  {"gsl_sf_debye_4", "x",
   "if(x < 0, undefined, if(x < 1, 4*integral(u, 0, 1, u^3/exprel(x*u)), "
   "4/x^4*(factorial(4)*zeta(5) - sum(k, 0, 4, ff(4, k)*x^(4 - k)*polylog(k + 1, exp(-x))))))"},
  {"gsl_sf_debye_5", "x",
   "if(x < 0, undefined, if(x < 1, 5*integral(u, 0, 1, u^4/exprel(x*u)), "
   "5/x^5*(factorial(5)*zeta(6) - sum(k, 0, 5, ff(5, k)*x^(5 - k)*polylog(k + 1, exp(-x))))))"},
  {"gsl_sf_debye_6", "x",
   "if(x < 0, undefined, if(x < 1, 6*integral(u, 0, 1, u^5/exprel(x*u)), "
   "6/x^6*(factorial(6)*zeta(7) - sum(k, 0, 6, ff(6, k)*x^(6 - k)*polylog(k + 1, exp(-x))))))"},
  {"gsl_sf_transport_2", "x",
   "if(x < 0, undefined, if(x < 1, x^1*integral(u, 0, 1, u^0*exp(x*u)/exprel(x*u)^2), "
   "2*(factorial(1)*zeta(2) - sum(k, 0, 1, ff(1, k)*x^(1 - k)*polylog(k + 1, exp(-x)))) - x^2/expm1(x)))"},
  {"gsl_sf_transport_3", "x",
   "if(x < 0, undefined, if(x < 1, x^2*integral(u, 0, 1, u^1*exp(x*u)/exprel(x*u)^2), "
   "3*(factorial(2)*zeta(3) - sum(k, 0, 2, ff(2, k)*x^(2 - k)*polylog(k + 1, exp(-x)))) - x^3/expm1(x)))"},
  {"gsl_sf_transport_4", "x",
   "if(x < 0, undefined, if(x < 1, x^3*integral(u, 0, 1, u^2*exp(x*u)/exprel(x*u)^2), "
   "4*(factorial(3)*zeta(4) - sum(k, 0, 3, ff(3, k)*x^(3 - k)*polylog(k + 1, exp(-x)))) - x^4/expm1(x)))"},
  {"gsl_sf_transport_5", "x",
   "if(x < 0, undefined, if(x < 1, x^4*integral(u, 0, 1, u^3*exp(x*u)/exprel(x*u)^2), "
   "5*(factorial(4)*zeta(5) - sum(k, 0, 4, ff(4, k)*x^(4 - k)*polylog(k + 1, exp(-x)))) - x^5/expm1(x)))"},
  {"gsl_sf_synchrotron_1", "x",
   "if(x < 0, undefined, if(x == 0 or x > 2000, 0, let a = 5/3 in let below = 1 - a in let above = 1 + a in let q = x^2/4 in "
   "let minus = (x/2)^(-a)*rgamma(below)/below*hyp1f2(below/2, below/2 + 1, below, q) in "
   "let plus = (x/2)^a*rgamma(above)/above*hyp1f2(above/2, above/2 + 1, above, q) in "
   "x*(-pi/sqrt(3) - pi/(2*sinpi(a))*x*(minus - plus))))"},
  {"gsl_sf_synchrotron_2", "x", "if(x < 0, undefined, if(x == 0, 0, x*besselk(2/3, x)))"},
};
// clang-format on

} // namespace

Catalogue gsl_other_meanings() { return {table}; }

} // namespace faultline::oracle
