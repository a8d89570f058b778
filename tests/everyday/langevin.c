// Magnetisation of a paramagnet as a part of its saturation; x is the magnetic over the thermal energy.
#include <math.h>

static double coth(double x) { return 1.0 / tanh(x); }

double langevin(double x) {
  if (x == 0.0)
    return 0.0;
  return coth(x) - 1.0 / x; // bug: cancellation
}
