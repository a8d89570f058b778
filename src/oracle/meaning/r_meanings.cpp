// R's nmath: special functions.
#include "oracle/meaning/catalogue_entry.h"

namespace faultline::oracle {
namespace {

// clang-format off
constexpr CatalogueEntry table[] = {
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

} // namespace

Catalogue r_meanings() { return {table}; }

} // namespace faultline::oracle
