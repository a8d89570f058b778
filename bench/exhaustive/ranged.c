/* Twenty functions of one number, fifteen of them well-behaved: what is hunted in as floats, over the ranges of
 * ranged_subjects.cpp, and what is run on all of these floats; compiled once more as wider numbers it says what the
 * results should have been. All constants are floats. */
#include <tgmath.h>

#ifndef REAL
#define REAL float
#define NAMED(name) name
#endif

REAL NAMED(sigmoid)(REAL x) { return 1 / (1 + exp(-x)); }
REAL NAMED(root_of_square_plus_one)(REAL x) { return sqrt(x * x + 1); }
REAL NAMED(gauss_moment)(REAL x) { return x * exp(-(x * x) / 2); }
REAL NAMED(horner_exponential)(REAL x) {
  return 1 + x * (1 + x * (0.5f + x * (0x1.555556p-3f + x * (0x1.555556p-5f + x * 0x1.111112p-7f))));
}
REAL NAMED(horner_sine)(REAL x) {
  REAL y = x * x;
  return x * (1 + y * (-0x1.555556p-3f + y * (0x1.11110ep-7f + y * -0x1.a0176p-13f)));
}
REAL NAMED(softplus)(REAL x) { return log1p(exp(x)); }
REAL NAMED(tangent_by_exp)(REAL x) {
  REAL e = exp(-2 * x);
  return (1 - e) / (1 + e);
}
REAL NAMED(root_of_quadratic)(REAL x) { return sqrt(x * x + 3 * x + 7); }
REAL NAMED(log_of_square)(REAL x) { return log(x * x + 2); }
REAL NAMED(lorentz)(REAL x) { return 1 / (1 + x * x); }
REAL NAMED(rational)(REAL x) { return (x * x + 1) / (x * x + 2 * x + 3); }
REAL NAMED(sinc)(REAL x) { return sin(x) / x; }
REAL NAMED(planck)(REAL x) { return x * x * x / expm1(x); }
REAL NAMED(smoothstep)(REAL x) { return x * x * (3 - 2 * x); }
REAL NAMED(three_halves)(REAL x) { return x * sqrt(x) + 0.1f; }

/* These cancel. */
REAL NAMED(cosine_quotient)(REAL x) { return (1 - cos(x)) / (x * x); }
REAL NAMED(difference_of_roots)(REAL x) { return sqrt(x + 1) - sqrt(x); }
REAL NAMED(log_quotient)(REAL x) { return log(1 + x) / x; }
REAL NAMED(chebyshev_5)(REAL x) {
  REAL y = x * x;
  return x * ((16 * y - 20) * y + 5);
}
REAL NAMED(expanded_square)(REAL x) { return x * x - 3 * x + 2.2f; }
