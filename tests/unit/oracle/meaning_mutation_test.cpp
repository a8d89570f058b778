// Broken expressions: every mutant of a good one has a value, has none, or is refused with a place.
#include "short_run.h"

#include <gtest/gtest.h>

namespace faultline::test {
namespace {

const fuzz::Material expressions = {
    {"let t = sqrt(x + 1) in if(t < 2 and not x == 0, log(t)/x, sum(k, 0, n, x^k/factorial(k)))",
     "besselj(n, x) + integral(u, 0, x, exp(-u^2)*cos(u)) - a[1]*a[n - 2]",
     "if((x + 1)*2 > 3 or (n >= 2 && a[0] != 1), gammaq(n, x), prod(k, 1, 4, x - k))",
     "-2^-x*1.5e-3 + re(polylog(2, 1 + j*x)) - max(x, 0.1, pi)*undefined"},
    {"(",  ")",      ",", "[", "]",  " let ", " in ", " if(",  "sum(k, 0, 9, ",      "^",    "**",     "1e300", "-",
     "/0", "gamma(", "x", "n", "a[", "<",     "==",   " and ", "integral(t, 0, 1, ", "psi(", "floor(", "zeta("},
    " (),\n",
    "(x + "};

TEST(MeaningMutation, ABrokenExpressionHasAValueOrAMessage) {
  fuzz::expect_no_surprise(fuzz::fuzz_meaning, expressions, fuzz::mutant, {4000, 100, 500});
}

} // namespace
} // namespace faultline::test
