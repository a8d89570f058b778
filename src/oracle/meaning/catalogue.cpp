#include "oracle/meaning/catalogue.h"

#include "ops/bessel.h"
#include "ops/complex.h"
#include "ops/exponential.h"
#include "ops/rounding.h"
#include "ops/special.h"
#include "ops/trigonometric.h"
#include "program/target_names.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <sstream>
#include <string_view>

namespace faultline::oracle {

// Boost.Math, for every float format.

// clang-format off
constexpr CatalogueEntry boost_rows[] = {
  {"boost::math::tgamma", "x", "gamma(x)"},
  {"boost::math::tgamma", "a x", "if(a <= 0 or x < 0, undefined, gammaupper(a, x))"},
  {"boost::math::tgamma_lower", "a x", "if(a <= 0 or x < 0, undefined, gammalower(a, x))"},
  {"boost::math::gamma_p", "a x", "if(a <= 0 or x < 0, undefined, gammap(a, x))"},
  {"boost::math::gamma_q", "a x", "if(a <= 0 or x < 0, undefined, gammaq(a, x))"},
  {"boost::math::tgamma1pm1", "x", "gamma(1 + x) - 1"},
  {"boost::math::lgamma", "x", "lgamma(x)"},
  {"boost::math::tgamma_ratio", "a b", "if(a <= 0 or b <= 0, undefined, gamma(a)/gamma(b))"},
  {"boost::math::tgamma_delta_ratio", "a d", "if(a <= 0 or a + d <= 0, undefined, gamma(a)/gamma(a + d))"},
  {"boost::math::digamma", "x", "digamma(x)"},
  {"boost::math::trigamma", "x", "psi(1, x)"},
  {"boost::math::polygamma", "n:i x", "if(n < 0, undefined, psi(n, x))"},
  {"boost::math::beta", "a b", "if(a <= 0 or b <= 0, undefined, beta(a, b))"},
  {"boost::math::beta", "a b x", "if(a <= 0 or b <= 0 or x < 0 or x > 1, undefined, betalower(a, b, x))"},
  {"boost::math::ibeta", "a b x", "if(a <= 0 or b <= 0 or x < 0 or x > 1, undefined, betai(a, b, x))"},
  {"boost::math::ibetac", "a b x", "if(a <= 0 or b <= 0 or x < 0 or x > 1, undefined, betai(b, a, 1 - x))"},
  {"boost::math::erf", "x", "erf(x)"},
  {"boost::math::erfc", "x", "erfc(x)"},
  {"boost::math::erf_inv", "x", "erfinv(x)"},
  {"boost::math::erfc_inv", "x", "erfcinv(x)"},
  {"boost::math::legendre_p", "l:i x", "if(l < 0 or abs(x) > 1, undefined, legendre(l, x))"},
  {"boost::math::legendre_p", "l:i m:i x", "if(m < 0 or l < m or abs(x) > 1, undefined, legenp(l, m, x))"},
  {"boost::math::legendre_q", "l:i x", "if(l < 0 or abs(x) >= 1, undefined, legenq(l, 0, x))"},
  {"boost::math::laguerre", "n:i x", "if(n < 0, undefined, laguerre(n, 0, x))"},
  {"boost::math::laguerre", "n:i m:i x", "if(n < 0 or m < 0, undefined, laguerre(n, m, x))"},
  {"boost::math::hermite", "n:i x", "if(n < 0, undefined, hermite(n, x))"},
  {"boost::math::chebyshev_t", "n:i x", "if(n < 0, undefined, chebyt(n, x))"},
  {"boost::math::chebyshev_u", "n:i x", "if(n < 0, undefined, chebyu(n, x))"},
  {"boost::math::gegenbauer", "n:i a x", "if(n < 0, undefined, gegenbauer(n, a, x))"},
  {"boost::math::jacobi", "n:i a b x", "if(n < 0, undefined, jacobi(n, a, b, x))"},
  {"boost::math::cyl_bessel_j", "v x", "besselj(v, x)"},
  {"boost::math::cyl_neumann", "v x", "bessely(v, x)"},
  {"boost::math::cyl_bessel_i", "v x", "besseli(v, x)"},
  {"boost::math::cyl_bessel_k", "v x", "besselk(v, x)"},
  {"boost::math::cyl_bessel_j", "n:i x", "besselj(n, x)"},
  {"boost::math::cyl_neumann", "n:i x", "bessely(n, x)"},
  {"boost::math::cyl_bessel_i", "n:i x", "besseli(n, x)"},
  {"boost::math::cyl_bessel_k", "n:i x", "besselk(n, x)"},
  {"boost::math::sph_bessel", "n:i x", "if(n < 0 or x < 0, undefined, sphericalj(n, x))"},
  {"boost::math::sph_neumann", "n:i x", "if(n < 0 or x < 0, undefined, sphericaly(n, x))"},
  {"boost::math::airy_ai", "x", "airyai(x)"},
  {"boost::math::airy_bi", "x", "airybi(x)"},
  {"boost::math::airy_ai_prime", "x", "airyai(x, 1)"},
  {"boost::math::airy_bi_prime", "x", "airybi(x, 1)"},
  {"boost::math::ellint_1", "k", "ellipk(k^2)"},
  {"boost::math::ellint_1", "k phi", "ellipf(phi, k^2)"},
  {"boost::math::ellint_2", "k", "ellipe(k^2)"},
  {"boost::math::ellint_2", "k phi", "ellipe(phi, k^2)"},
  {"boost::math::ellint_3", "k n", "ellippi(n, k^2)"},
  {"boost::math::ellint_3", "k n phi", "ellippi(n, phi, k^2)"},
  {"boost::math::ellint_d", "k", "elliprd(0, 1 - k^2, 1)/3"},
  {"boost::math::ellint_rf", "x y z", "elliprf(x, y, z)"},
  {"boost::math::ellint_rc", "x y", "if(y < 0, undefined, elliprc(x, y))"},
  {"boost::math::ellint_rd", "x y z", "elliprd(x, y, z)"},
  {"boost::math::ellint_rj", "x y z p", "if(p < 0, undefined, elliprj(x, y, z, p))"},
  {"boost::math::ellint_rg", "x y z", "elliprg(x, y, z)"},
  {"boost::math::zeta", "s", "zeta(s)"},
  {"boost::math::expint", "x", "ei(x)"},
  {"boost::math::expint", "n:i x", "if(x < 0, undefined, expint(n, x))"},
  {"boost::math::lambert_w0", "x", "lambertw(x)"},
  {"boost::math::lambert_wm1", "x", "lambertw(x, -1)"},
  {"boost::math::hypergeometric_0F1", "b z", "hyp0f1(b, z)"},
  {"boost::math::hypergeometric_1F1", "a b z", "hyp1f1(a, b, z)"},
  {"boost::math::sin_pi", "x", "sinpi(x)"},
  {"boost::math::cos_pi", "x", "cospi(x)"},
  {"boost::math::sinc_pi", "x", "sinc(x)"},
  {"boost::math::sinhc_pi", "x", "if(x == 0, 1, sinh(x)/x)"},
  {"boost::math::log1p", "x", "log1p(x)"},
  {"boost::math::expm1", "x", "expm1(x)"},
  {"boost::math::cbrt", "x", "cbrt(x)"},
  {"boost::math::sqrt1pm1", "x", "expm1(log1p(x)/2)"},
  {"boost::math::powm1", "x y", "x^y - 1"},
  {"boost::math::hypot", "x y", "hypot(x, y)"},
  {"boost::math::rising_factorial", "x n:i", "rf(x, n)"},
  {"boost::math::falling_factorial", "x n:i", "if(n < 0, undefined, ff(x, n))"},
};
// clang-format on

// Cephes, by its manual. ellpe is omitted: the original takes 1 - m, the well-known copy in SciPy m.

// clang-format off
constexpr CatalogueEntry cephes_rows[] = {
  {"jv", "v x", "besselj(v, x)"},
  {"yv", "v x", "bessely(v, x)"},
  {"i0", "x", "besseli(0, x)"},
  {"i0e", "x", "besselie(0, x)"},
  {"i1", "x", "besseli(1, x)"},
  {"i1e", "x", "besselie(1, x)"},
  {"iv", "v x", "besseli(v, x)"},
  {"k0", "x", "besselk(0, x)"},
  {"k0e", "x", "besselke(0, x)"},
  {"k1", "x", "besselk(1, x)"},
  {"k1e", "x", "besselke(1, x)"},
  {"kn", "n:i x", "besselk(n, x)"},
  {"airy", "x", "airyai(x)", "*0", "airy.c"},
  {"airy", "x", "airyai(x, 1)", "*1", "airy.c"},
  {"airy", "x", "airybi(x)", "*2", "airy.c"},
  {"airy", "x", "airybi(x, 1)", "*3", "airy.c"},
  {"struve", "v x", "struveh(v, x)"},
  {"gamma", "x", "gamma(x)", "", "gamma.c"}, // elsewhere its logarithm
  {"lgam", "x", "lgamma(x)"},
  {"rgamma", "x", "rgamma(x)", "", "rgamma.c"},
  {"fac", "n:i", "if(n < 0, undefined, factorial(n))", "", "fac.c"},
  {"beta", "a b", "beta(a, b)", "", "beta.c"},  // R's, too
  {"lbeta", "a b", "lgamma(a) + lgamma(b) - lgamma(a + b)"}, // R's, too
  {"igam", "a x", "if(a <= 0 or x < 0, undefined, gammap(a, x))"},
  {"igamc", "a x", "if(a <= 0 or x < 0, undefined, gammaq(a, x))"},
  {"incbet", "a b x", "if(a <= 0 or b <= 0 or x < 0 or x > 1, undefined, betai(a, b, x))"},
  {"psi", "x", "digamma(x)", "", "psi.c"},
  {"zeta", "s q", "if(s <= 1 or q <= 0, undefined, zeta(s, q))", "", "zeta.c"},
  {"zetac", "s", "zeta(s) - 1"},
  {"ndtr", "x", "erfc(-x/sqrt(2))/2"},
  {"ndtri", "y", "-sqrt(2)*erfcinv(2*y)"},
  {"dawsn", "x", "dawson(x)"},
  {"fresnl", "x", "fresnels(x)", "*0"},
  {"fresnl", "x", "fresnelc(x)", "*1"},
  {"expn", "n:i x", "if(n < 0 or x < 0, undefined, expint(n, x))"},
  {"ei", "x", "ei(x)", "", "ei.c"},
  {"sici", "x", "si(x)", "*0"},
  {"sici", "x", "ci(abs(x))", "*1"},
  {"shichi", "x", "shi(x)", "*0"},
  {"shichi", "x", "chi(abs(x))", "*1"},
  {"spence", "x", "polylog(2, 1 - x)"},
  {"ellpk", "x", "if(x < 0 or x > 1, undefined, ellipk(1 - x))"},
  {"ellik", "phi m", "if(m < 0 or m > 1, undefined, ellipf(phi, m))"},
  {"ellie", "phi m", "if(m < 0 or m > 1, undefined, ellipe(phi, m))"},
  {"hyp2f1", "a b c x", "hyp2f1(a, b, c, x)"},
  {"hyperg", "a b x", "hyp1f1(a, b, x)"},
  {"cosm1", "x", "-2*sin(x/2)^2"},
  {"chdtr", "v x", "if(v <= 0 or x < 0, undefined, gammap(v/2, x/2))"},
  {"chdtrc", "v x", "if(v <= 0 or x < 0, undefined, gammaq(v/2, x/2))"},
  {"gdtr", "a b x", "if(a <= 0 or b <= 0 or x < 0, undefined, gammap(b, a*x))"},
  {"gdtrc", "a b x", "if(a <= 0 or b <= 0 or x < 0, undefined, gammaq(b, a*x))"},
  {"pdtr", "k:i m", "if(k < 0 or m <= 0, undefined, gammaq(k + 1, m))"},
  {"pdtrc", "k:i m", "if(k < 0 or m <= 0, undefined, gammap(k + 1, m))"},
  {"fdtr", "a:i b:i x", "if(a < 1 or b < 1 or x < 0, undefined, betai(a/2, b/2, a*x/(b + a*x)))"},
  {"fdtrc", "a:i b:i x", "if(a < 1 or b < 1 or x < 0, undefined, betai(b/2, a/2, b/(b + a*x)))"},
  {"stdtr", "k:i t", "if(k <= 0, undefined, let p = betai(k/2, 1/2, k/(k + t^2))/2 in if(t > 0, 1 - p, p))"},
};
// clang-format on

// SLATEC's double-precision functions, by symbol: the plain names are also R's (dgamma).

// clang-format off
constexpr CatalogueEntry slatec_rows[] = {
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

// R's nmath: special functions.

// clang-format off
constexpr CatalogueEntry r_rows[] = {
  {"gammafn", "x", "gamma(x)"},
  {"lgammafn", "x", "lgamma(x)"},
  {"lgamma1p", "a", "lgamma(a + 1)"},
  {"lgammacor", "x", "if(x < 10, undefined, loggamma(x) - (x - 1/2)*log(x) + x - log(2*pi)/2)"},
  {"stirlerr", "n", "if(n <= 0, undefined, loggamma(n + 1) - (n + 1/2)*log(n) + n - log(2*pi)/2)"},
  {"log1pmx", "x", "log1p(x) - x"},
  {"logspace_add", "x y", "let most = max(x, y) in most + log1p(exp(min(x, y) - most))"},
  {"logspace_sub", "x y", "if(x <= y, undefined, x + log1p(-exp(y - x)))"},
  {"choose", "n k", "if(k != floor(k), undefined, if(k < 0, 0, binomial(n, k)))"},
  {"lchoose", "n k", "if(k != floor(k) or k < 0, undefined, log(abs(binomial(n, k))))"},
  {"trigamma", "x", "psi(1, x)"},
  {"tetragamma", "x", "psi(2, x)"},
  {"pentagamma", "x", "psi(3, x)"},
  {"digamma", "x", "digamma(x)"},
  {"psigamma", "x n", "if(n < 0 or n != floor(n), undefined, psi(n, x))"},
  {"bessel_j", "x v", "if(x < 0, undefined, besselj(v, x))"},
  {"bessel_y", "x v", "if(x < 0, undefined, bessely(v, x))"},
  {"bessel_i", "x v expo", "if(x < 0, undefined, if(expo == 1, besseli(v, x), if(expo == 2, besselie(v, x), undefined)))"},
  {"bessel_k", "x v expo", "if(x < 0, undefined, if(expo == 1, besselk(v, x), if(expo == 2, besselke(v, x), undefined)))"},
};
// clang-format on

// R's nmath: continuous distributions. Discrete ones are omitted because their functions round arguments in special
// ways.

#define DENSITY(density) "let d = " density " in if(log_p != 0, log(d), d)"
#define TAILS(lower, upper) "let p = if(lower_tail != 0, " lower ", " upper ") in if(log_p != 0, log(p), p)"

// clang-format off
constexpr CatalogueEntry r_distribution_rows[] = {
  {"dnorm4", "x mu sigma log_p:i",
   "if(sigma <= 0, undefined, let z = (x - mu)/sigma in if(log_p != 0, -z^2/2 - log(sigma*sqrt(2*pi)), exp(-z^2/2)/(sigma*sqrt(2*pi))))"},
  {"pnorm5", "x mu sigma lower_tail:i log_p:i",
   "if(sigma <= 0, undefined, let z = (x - mu)/(sigma*sqrt(2)) in " TAILS("erfc(-z)/2", "erfc(z)/2") ")"},
  {"dgamma", "x a scale log_p:i",
   "if(a <= 0 or scale <= 0 or x <= 0, undefined, let z = x/scale in let d = (a - 1)*log(z) - z - loggamma(a) - log(scale) in if(log_p != 0, d, exp(d)))"},
  {"pgamma", "x a scale lower_tail:i log_p:i",
   "if(a <= 0 or scale <= 0 or x < 0, undefined, " TAILS("gammap(a, x/scale)", "gammaq(a, x/scale)") ")"},
  {"dbeta", "x a b log_p:i",
   "if(a <= 0 or b <= 0 or x <= 0 or x >= 1, undefined, let d = (a - 1)*log(x) + (b - 1)*log(1 - x) - (loggamma(a) + loggamma(b) - loggamma(a + b)) in if(log_p != 0, d, exp(d)))"},
  {"pbeta", "x a b lower_tail:i log_p:i",
   "if(a <= 0 or b <= 0 or x < 0 or x > 1, undefined, " TAILS("betai(a, b, x)", "betai(b, a, 1 - x)") ")"},
  {"dt", "x n log_p:i",
   "if(n <= 0, undefined, let d = loggamma((n + 1)/2) - loggamma(n/2) - log(n*pi)/2 - (n + 1)/2*log1p(x^2/n) in if(log_p != 0, d, exp(d)))"},
  {"pt", "x n lower_tail:i log_p:i",
   "if(n <= 0, undefined, let u = betai(n/2, 1/2, n/(n + x^2))/2 in let v = if(x > 0, 1 - u, u) in " TAILS("v", "1 - v") ")"},
  {"dchisq", "x v log_p:i",
   "if(v <= 0 or x <= 0, undefined, let d = (v/2 - 1)*log(x/2) - x/2 - loggamma(v/2) - log(2) in if(log_p != 0, d, exp(d)))"},
  {"pchisq", "x v lower_tail:i log_p:i",
   "if(v <= 0 or x < 0, undefined, " TAILS("gammap(v/2, x/2)", "gammaq(v/2, x/2)") ")"},
  {"pf", "x m n lower_tail:i log_p:i",
   "if(m <= 0 or n <= 0 or x <= 0, undefined, " TAILS("betai(m/2, n/2, m*x/(n + m*x))", "betai(n/2, m/2, n/(n + m*x))") ")"},
  {"dexp", "x scale log_p:i",
   "if(scale <= 0 or x < 0, undefined, if(log_p != 0, -x/scale - log(scale), exp(-x/scale)/scale))"},
  {"pexp", "x scale lower_tail:i log_p:i",
   "if(scale <= 0 or x <= 0, undefined, " TAILS("-expm1(-x/scale)", "exp(-x/scale)") ")"},
  {"dlnorm", "x mu sigma log_p:i",
   "if(sigma <= 0 or x <= 0, undefined, let z = (log(x) - mu)/sigma in let d = -z^2/2 - log(x*sigma*sqrt(2*pi)) in if(log_p != 0, d, exp(d)))"},
  {"plnorm", "x mu sigma lower_tail:i log_p:i",
   "if(sigma <= 0 or x <= 0, undefined, let z = (log(x) - mu)/(sigma*sqrt(2)) in " TAILS("erfc(-z)/2", "erfc(z)/2") ")"},
  {"dlogis", "x mu scale log_p:i",
   "if(scale <= 0, undefined, let z = exp(-abs(x - mu)/scale) in " DENSITY("z/(scale*(1 + z)^2)") ")"},
  {"plogis", "x mu scale lower_tail:i log_p:i",
   "if(scale <= 0, undefined, let z = (x - mu)/scale in " TAILS("1/(1 + exp(-z))", "1/(1 + exp(z))") ")"},
  {"dcauchy", "x mu scale log_p:i",
   "if(scale <= 0, undefined, let z = (x - mu)/scale in " DENSITY("1/(pi*scale*(1 + z^2))") ")"},
  {"pcauchy", "x mu scale lower_tail:i log_p:i",
   "if(scale <= 0, undefined, let z = (x - mu)/scale in " TAILS("atan2(1, -z)/pi", "atan2(1, z)/pi") ")"},
  {"dweibull", "x shape scale log_p:i",
   "if(shape <= 0 or scale <= 0 or x <= 0, undefined, let z = x/scale in let d = log(shape/scale) + (shape - 1)*log(z) - z^shape in if(log_p != 0, d, exp(d)))"},
  {"pweibull", "x shape scale lower_tail:i log_p:i",
   "if(shape <= 0 or scale <= 0 or x <= 0, undefined, let z = (x/scale)^shape in " TAILS("-expm1(-z)", "exp(-z)") ")"},
};
// clang-format on

#undef DENSITY
#undef TAILS

namespace {

// The C library's functions. Each has a float and a long double variant, with suffix f and l. Functions that are
// operations have their meaning in ops/.
std::vector<CatalogueEntry> c_rows() {
  std::vector<CatalogueEntry> all = {
      {"sqrt", "x", "sqrt(x)"},
      {"sinpi", "x", "sinpi(x)"},
      {"cospi", "x", "cospi(x)"},
      {"tanpi", "x", "tanpi(x)"},
  };
#define FAULTLINE_MEANING(name, arity, traits)                                                                         \
  if (constexpr ops::Meaning meaning = ops::Formulas<ops::Op::name>::meaning; *meaning.expression)                     \
    all.push_back({#name, meaning.inputs, meaning.expression});
  FAULTLINE_FUNCTIONS(FAULTLINE_MEANING)
#undef FAULTLINE_MEANING
  return all;
}

using model::Cell;
using model::Target;

struct Row {
  const CatalogueEntry* entry;
  Floats floats;
};

const std::multimap<std::string_view, Row>& rows() {
  static const auto all = [] {
    std::multimap<std::string_view, Row> all;
    static const std::vector<CatalogueEntry> of_c = c_rows();
    for (const Catalogue& catalogue :
         {Catalogue{of_c, Floats::suffixed}, gsl_bessel_meanings(), gsl_gamma_meanings(), gsl_other_meanings(),
          Catalogue{cephes_rows}, Catalogue{r_rows}, Catalogue{r_distribution_rows}, Catalogue{boost_rows, Floats::any},
          Catalogue{slatec_rows}})
      for (const CatalogueEntry& entry : catalogue.entries)
        all.emplace(entry.name, Row{&entry, catalogue.floats});
    return all;
  }();
  return all;
}

struct Signature {
  std::vector<std::string> names;
  std::vector<bool> integers;
};

Signature signature_of(const CatalogueEntry& entry) {
  Signature signature;
  std::istringstream words(entry.inputs);
  for (std::string word; words >> word;) {
    signature.integers.push_back(word.ends_with(":i"));
    signature.names.push_back(word.substr(0, word.find(':')));
  }
  return signature;
}

bool fits(const Target& target, const CatalogueEntry& entry, const Signature& signature,
          std::optional<numeric::Format> wanted) {
  if (*entry.file && std::filesystem::path(target.file).filename() != entry.file)
    return false;
  if (target.inputs.size() != signature.names.size())
    return false;
  for (size_t i = 0; i < target.inputs.size(); ++i)
    if (target.inputs[i].type.floating == signature.integers[i])
      return false;
  const auto is_float = [](const Cell& cell) { return cell.type.floating; };
  const auto first = std::ranges::find_if(target.outputs, is_float);
  if (first == target.outputs.end())
    return false;
  const numeric::Format format = wanted.value_or(first->type.format);
  const auto fits_format = [&](const Cell& cell) { return !cell.type.floating || cell.type.format == format; };
  return std::ranges::all_of(target.inputs, fits_format) && std::ranges::all_of(target.outputs, fits_format);
}

// `name` is that of a cell, or *N.
std::optional<size_t> output_of(const Target& target, std::string_view name) {
  size_t other = 0;
  for (size_t i = 0; i < target.outputs.size(); ++i) {
    const Cell& cell = target.outputs[i];
    if (!cell.type.floating)
      continue;
    const bool counted = cell.name != "return";
    if (cell.name == name || (counted && name == fmt::format("*{}", other)))
      return i;
    other += counted;
  }
  return std::nullopt;
}

// `suffix` is the format of the name's suffix. Without one, the type is double if the library has nothing else.
void add(std::vector<ReadyMeaning>& found, const Target& target, std::string_view name, std::string_view output = "",
         std::optional<numeric::Format> suffix = std::nullopt) {
  const auto [begin, end] = rows().equal_range(name);
  for (auto row = begin; row != end; ++row) {
    const CatalogueEntry& entry = *row->second.entry;
    const Floats floats = row->second.floats;
    if (suffix && floats != Floats::suffixed)
      continue;
    const Signature signature = signature_of(entry);
    const auto format =
        floats == Floats::any ? std::nullopt : std::optional(suffix.value_or(numeric::Format::binary64));
    if (!fits(target, entry, signature, format))
      continue;
    const std::optional<size_t> index = output_of(target, !output.empty() ? output
                                                          : *entry.output ? std::string_view(entry.output)
                                                                          : "return");
    const bool moded = !signature.names.empty() && signature.names.back() == "mode";
    if (index)
      found.push_back({*index, signature.names,
                       moded ? fmt::format("if(mode == 0, {}, undefined)", entry.expression) : entry.expression});
  }
}

} // namespace

std::vector<ReadyMeaning> ready_meanings(const Target& target) {
  std::vector<ReadyMeaning> found;
  for (const std::string& name : program::names_of(target)) {
    add(found, target, name);
    // R's own build adds this prefix.
    if (name.starts_with("Rf_"))
      add(found, target, std::string_view(name).substr(3));
    const std::string_view stem = std::string_view(name).substr(0, name.empty() ? 0 : name.size() - 1);
    if (found.empty() && (name.ends_with("f") || name.ends_with("l")))
      add(found, target, stem, "", name.ends_with("f") ? numeric::Format::binary32 : numeric::Format::extended80);
    // GSL's variants with an error estimate return the value in a struct.
    if (name.starts_with("gsl_sf_") && name.ends_with("_e"))
      add(found, target, std::string_view(name).substr(0, name.size() - 2), "result.val");
    if (!found.empty())
      break;
  }
  return found;
}

std::vector<KnownFunction> known_functions(const std::string& name) {
  std::vector<KnownFunction> known;
  const auto [begin, end] = rows().equal_range(name);
  for (auto row = begin; row != end; ++row)
    for (const ReadyMeaning& ready : ready_meanings(target_of(*row->second.entry)))
      if (ready.names == signature_of(*row->second.entry).names)
        known.push_back({ready.names, parse_meaning(ready.expression, ready.names)});
  return known;
}

std::vector<const CatalogueEntry*> catalogue_entries() {
  std::vector<const CatalogueEntry*> entries;
  for (const auto& [name, row] : rows())
    entries.push_back(row.entry);
  return entries;
}

Target target_of(const CatalogueEntry& entry) {
  Target target;
  target.function = target.symbol = entry.name;
  target.file = *entry.file ? entry.file : "somewhere.c";
  const Signature signature = signature_of(entry);
  for (size_t i = 0; i < signature.names.size(); ++i)
    target.inputs.push_back({signature.names[i], {.floating = !signature.integers[i]}});
  constexpr int most_outputs = 4; // Cephes' airy has as many
  target.outputs.push_back({*entry.output ? "first" : "return", {}});
  for (int i = 1; *entry.output && i < most_outputs; ++i)
    target.outputs.push_back({fmt::format("other{}", i), {}});
  return target;
}

} // namespace faultline::oracle
