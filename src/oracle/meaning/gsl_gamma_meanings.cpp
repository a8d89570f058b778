// GSL: gamma, beta, psi and zeta functions, hypergeometric functions.
#include "oracle/meaning/catalogue_entry.h"

namespace faultline::oracle {
namespace {

// clang-format off
constexpr CatalogueEntry table[] = {
  {"gsl_sf_gamma", "x", "gamma(x)"},
  {"gsl_sf_lngamma", "x", "lgamma(x)"},
  {"gsl_sf_gammastar", "x", "if(x <= 0, undefined, exp(loggamma(x) - (x - 1/2)*log(x) + x)/sqrt(2*pi))"},
  {"gsl_sf_gammainv", "x", "rgamma(x)"},
  {"gsl_sf_fact", "n:i", "if(n < 0, undefined, factorial(n))"},
  {"gsl_sf_doublefact", "n:i", "if(n < 0, undefined, fac2(n))"},
  {"gsl_sf_lnfact", "n:i", "if(n < 0, undefined, loggamma(n + 1))"},
  {"gsl_sf_lndoublefact", "n:i", "if(n < 0, undefined, log(fac2(n)))"},
  {"gsl_sf_choose", "n:i m:i", "if(m < 0 or n < m, undefined, binomial(n, m))"},
  {"gsl_sf_lnchoose", "n:i m:i", "if(m < 0 or n < m, undefined, log(binomial(n, m)))"},
  {"gsl_sf_taylorcoeff", "n:i x", "if(n < 0 or x < 0, undefined, x^n/factorial(n))"},
  {"gsl_sf_poch", "a x", "rf(a, x)"},
  {"gsl_sf_lnpoch", "a x", "if(a <= 0 or a + x <= 0, undefined, loggamma(a + x) - loggamma(a))"},
  {"gsl_sf_pochrel", "a x", "if(x == 0, digamma(a), (rf(a, x) - 1)/x)"},
  {"gsl_sf_gamma_inc", "a x", "if(x < 0, undefined, gammaupper(a, x))"},
  {"gsl_sf_gamma_inc_Q", "a x", "if(a <= 0 or x < 0, undefined, gammaq(a, x))"},
  {"gsl_sf_gamma_inc_P", "a x", "if(a <= 0 or x < 0, undefined, gammap(a, x))"},
  {"gsl_sf_beta", "a b", "beta(a, b)"},
  {"gsl_sf_lnbeta", "a b", "lgamma(a) + lgamma(b) - lgamma(a + b)"},
  {"gsl_sf_beta_inc", "a b x", "if(x < 0 or x > 1, undefined, if(x == 0 or x == 1, x, betai(a, b, x)))"},
  {"gsl_sf_psi", "x", "digamma(x)"},
  {"gsl_sf_psi_int", "n:i", "digamma(n)"},
  {"gsl_sf_psi_1piy", "y", "re(digamma(1 + j*y))"},
  {"gsl_sf_psi_1", "x", "psi(1, x)"},
  {"gsl_sf_psi_1_int", "n:i", "if(n <= 0, undefined, psi(1, n))"},
  {"gsl_sf_psi_n", "n:i x", "if(n < 0, undefined, psi(n, x))"},
  {"gsl_sf_zeta", "s", "zeta(s)"},
  {"gsl_sf_zetam1", "s", "zeta(s) - 1"},
  {"gsl_sf_zeta_int", "n:i", "zeta(n)"},
  {"gsl_sf_zetam1_int", "n:i", "zeta(n) - 1"},
  {"gsl_sf_hzeta", "s q", "if(s <= 1 or q <= 0, undefined, zeta(s, q))"},
  {"gsl_sf_eta", "s", "altzeta(s)"},
  {"gsl_sf_eta_int", "n:i", "altzeta(n)"},
  {"gsl_sf_lambert_W0", "x", "lambertw(x)"},
  {"gsl_sf_lambert_Wm1", "x", "if(x >= 0, lambertw(x), lambertw(x, -1))"},
  {"gsl_sf_dilog", "x", "re(polylog(2, x))"},
  {"gsl_sf_clausen", "x", "clsin(2, x)"},
  {"gsl_sf_hyperg_0F1", "c x", "hyp0f1(c, x)"},
  {"gsl_sf_hyperg_1F1", "a b x", "hyp1f1(a, b, x)"},
  {"gsl_sf_hyperg_1F1_int", "m:i n:i x", "if(m == n, exp(x), hyp1f1(m, n, x))"},
  {"gsl_sf_hyperg_U", "a b x", "hyperu(a, b, x)"},
  {"gsl_sf_hyperg_U_int", "m:i n:i x", "hyperu(m, n, x)"},
  {"gsl_sf_hyperg_2F1", "a b c x", "if(x < -1 or x >= 1, undefined, hyp2f1(a, b, c, x))"},
  {"gsl_sf_hyperg_2F1_renorm", "a b c x", "if(x < -1 or x >= 1, undefined, hyp2f1(a, b, c, x)*rgamma(c))"},
  {"gsl_sf_hydrogenicR_1", "z r", "2*z^(3/2)*exp(-z*r)"},
};
// clang-format on

} // namespace

Catalogue gsl_gamma_meanings() { return {table}; }

} // namespace faultline::oracle
