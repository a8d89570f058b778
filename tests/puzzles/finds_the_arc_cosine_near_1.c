// options: --range x=0:0.5
// expect: naive inaccuracy line 8 above 1e-3 operation acos
// silent: stable
#include <math.h>

double naive(double x) {
  double cosine = 1.0 - x;
  return acos(cosine);
}

double stable(double x) {
  return 2.0 * asin(sqrt(x / 2.0));
}
