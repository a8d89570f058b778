// Speed in km/s at which a galaxy recedes, from its redshift, by the relativistic Doppler formula.
#include <math.h>

static const double light = 299792.458;

double recession_speed(double redshift) {
  double gained, beta;

  if (redshift <= 0.0)
    return 0.0;
  gained = powf(1.0 + redshift, 2.0) - 1.0; // bug: cancellation|absorption|inaccuracy
  beta = gained / (gained + 2.0);
  return light * beta;
}
