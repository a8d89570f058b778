// Angle in degrees by which the horizon at sea lies below the level of the eye, from the eye's height in metres.
#include <math.h>

static const float earth_radius = 6371000.0f;
static const float degrees = 57.29578f;

float horizon_dip(float height) {
  if (height <= 0.0f)
    return 0.0f;
  float dip = acosf(earth_radius / (earth_radius + height)); // bug: sensitive-argument|absorption
  return dip * degrees;
}
