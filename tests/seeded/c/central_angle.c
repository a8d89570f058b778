// The law of cosines between two places that are close: the arc cosine next to 1.
// options: --range latitude=0.1:1 --range dlat=1e-9:1e-2 --range dlon=1e-9:1e-2
#include <math.h>

double central_angle(double latitude, double dlat, double dlon) {
  double other = latitude + dlat;
  double meridian = sin(latitude) * sin(other);
  double parallel = cos(latitude) * cos(other) * cos(dlon);
  double cosine = meridian + parallel;
  if (cosine > 1)
    cosine = 1;
  return acos(cosine); // FAULT: sensitive-argument
}
