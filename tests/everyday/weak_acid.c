// Concentration of hydrogen ions in a weak acid (mol/l): the positive root of h^2 + Ka h - Ka C = 0.
#include <math.h>

double weak_acid(double ka, double concentration) {
  double hydrogen;

  if (ka <= 0.0 || concentration <= 0.0)
    return 0.0;
  hydrogen = (sqrt(ka * ka + 4.0 * ka * concentration) - ka) / 2.0; // bug: cancellation|absorption
  return hydrogen;
}
