// Part of the light that gets through a filter of optical depth tau: the power series of exp(-tau).
#include <math.h>

#define OPAQUE 30.0
#define NEGLIGIBLE 1e-30

double transmittance(double tau) {
  double term = 1.0, sum = 1.0;

  if (tau <= 0.0)
    return 1.0;
  if (tau > OPAQUE)
    return 0.0;
  for (int k = 1; fabs(term) > NEGLIGIBLE; k++) {
    term *= -tau / k;
    sum += term; // bug: cancellation|accumulated-rounding
  }
  return sum;
}
