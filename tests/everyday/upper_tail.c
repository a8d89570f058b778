// One-sided p-value of a z-score: the probability that a standard normal variable is larger.
#include <math.h>

#define LAST_ROW 20.0 // of the table that this replaces

double upper_tail(double z) {
  const double sqrt_half = 0.70710678118654752440;
  double within;

  if (z > LAST_ROW)
    z = LAST_ROW;
  within = erf(z * sqrt_half);
  return 0.5 * (1.0 - within); // bug: cancellation
}
