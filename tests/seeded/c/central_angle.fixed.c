// The haversine formula.
// options: --range latitude=0.1:1 --range dlat=1e-9:1e-2 --range dlon=1e-9:1e-2
#include <math.h>

static double haversine(double angle) {
  double half = sin(angle / 2);
  return half * half;
}

double central_angle(double latitude, double dlat, double dlon) {
  double other = latitude + dlat;
  double h = haversine(dlat) + cos(latitude) * cos(other) * haversine(dlon);
  return 2 * asin(sqrt(h));
}
