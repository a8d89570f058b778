// SLATEC, the functions of double precision, by their symbols: the names alone are R's too (dgamma).
#include "oracle/meaning/catalogue_entry.h"

namespace faultline::oracle {
namespace {

// clang-format off
constexpr CatalogueEntry table[] = {
  {"dgamma_", "x", "gamma(x)"},
  {"dlngam_", "x", "lgamma(x)"},
  {"dgamr_", "x", "rgamma(x)"},
  {"dbeta_", "a b", "if(a <= 0 or b <= 0, undefined, beta(a, b))"},
  {"dlbeta_", "a b", "if(a <= 0 or b <= 0, undefined, loggamma(a) + loggamma(b) - loggamma(a + b))"},
  {"dbetai_", "x p q", "if(p <= 0 or q <= 0 or x < 0 or x > 1, undefined, betai(p, q, x))"},
  {"dgami_", "a x", "if(a <= 0 or x < 0, undefined, gammalower(a, x))"},
  {"dgamic_", "a x", "if(x < 0, undefined, gammaupper(a, x))"},
  {"dgamit_", "a x", "if(x <= 0, undefined, x^(-a)*gammap(a, x))"},
  {"dpsi_", "x", "digamma(x)"},
  {"dpoch_", "a x", "rf(a, x)"},
  {"dpoch1_", "a x", "if(x == 0, digamma(a), (rf(a, x) - 1)/x)"},
  {"dfac_", "n:i", "if(n < 0, undefined, factorial(n))"},
  {"dbinom_", "n:i m:i", "if(m < 0 or n < m, undefined, binomial(n, m))"},
  {"dbesj0_", "x", "besselj(0, x)"},
  {"dbesj1_", "x", "besselj(1, x)"},
  {"dbesy0_", "x", "bessely(0, x)"},
  {"dbesy1_", "x", "bessely(1, x)"},
  {"dbesi0_", "x", "besseli(0, x)"},
  {"dbesi1_", "x", "besseli(1, x)"},
  {"dbsi0e_", "x", "besselie(0, x)"},
  {"dbsi1e_", "x", "besselie(1, x)"},
  {"dbesk0_", "x", "besselk(0, x)"},
  {"dbesk1_", "x", "besselk(1, x)"},
  {"dbsk0e_", "x", "besselke(0, x)"},
  {"dbsk1e_", "x", "besselke(1, x)"},
  {"dai_", "x", "airyai(x)"},
  {"dbi_", "x", "airybi(x)"},
  {"daie_", "x", "if(x > 0, exp(2/3*x^(3/2))*airyai(x), airyai(x))"},
  {"dbie_", "x", "if(x > 0, exp(-2/3*x^(3/2))*airybi(x), airybi(x))"},
  {"derf_", "x", "erf(x)"},
  {"derfc_", "x", "erfc(x)"},
  {"ddaws_", "x", "dawson(x)"},
  {"de1_", "x", "-ei(-x)"},
  {"dei_", "x", "ei(x)"},
  {"dli_", "x", "if(x <= 0, undefined, li(x))"},
  {"dspenc_", "x", "re(polylog(2, x))"},
  {"dlnrel_", "x", "log1p(x)"},
  {"dexprl_", "x", "exprel(x)"},
  {"dcot_", "x", "cot(x)"},
  {"dcbrt_", "x", "cbrt(x)"},
  {"dasinh_", "x", "asinh(x)"},
  {"dacosh_", "x", "acosh(x)"},
  {"datanh_", "x", "atanh(x)"},
  {"dsindg_", "x", "sinpi(x/180)"},
  {"dcosdg_", "x", "cospi(x/180)"},
  {"dchu_", "a b x", "if(x <= 0, undefined, hyperu(a, b, x))"},
};
// clang-format on

} // namespace

Catalogue slatec_meanings() { return {table}; }

} // namespace faultline::oracle
