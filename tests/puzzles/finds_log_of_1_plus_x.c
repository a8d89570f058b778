// expect: naive inaccuracy line 7 above 0.9 operation log
// silent: stable
#include <math.h>

double naive(double x) {
  double y = 1.0 + x;
  return log(y);
}

double stable(double x) {
  return log1p(x);
}
