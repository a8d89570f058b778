// Cephes, by its manual. ellpe is left out: the original takes 1 - m, and the copy that SciPy made famous m.
#include "oracle/meaning/catalogue_entry.h"

namespace faultline::oracle {
namespace {

// clang-format off
constexpr CatalogueEntry table[] = {
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
  {"gamma", "x", "gamma(x)", "", "gamma.c"}, // elsewhere that is its logarithm
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

} // namespace

Catalogue cephes_meanings() { return {table}; }

} // namespace faultline::oracle
