// R's nmath: continuous distributions. Discrete ones are left out: their functions round their arguments in ways of
// their own.
#include "oracle/meaning/catalogue_entry.h"

namespace faultline::oracle {
namespace {

#define DENSITY(density) "let d = " density " in if(log_p != 0, log(d), d)"
#define TAILS(lower, upper) "let p = if(lower_tail != 0, " lower ", " upper ") in if(log_p != 0, log(p), p)"

// clang-format off
constexpr CatalogueEntry table[] = {
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

} // namespace

Catalogue r_distribution_meanings() { return {table}; }

} // namespace faultline::oracle
