// options: --range latitude=0:1 --range longitude=1e-12:1
// expect: naive inaccuracy line 8 above 1e-3 operation acos
// silent: stable
#include <math.h>

double naive(double latitude, double longitude) {
  double s = sin(latitude), c = cos(latitude), cosine = s * s + c * c * cos(longitude);
  return acos(cosine);
}

double stable(double latitude, double longitude) {
  return 2 * asin(cos(latitude) * sin(longitude / 2));
}
