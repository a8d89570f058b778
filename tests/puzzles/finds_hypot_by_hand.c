// expect: naive overflow line 8 verdict avoidable operation fmul
// expect: naive inaccuracy|underflow line 8 above 1e-3 operation fmul
// allow: naive inaccuracy|underflow|overflow line 9
// silent: stable all
#include <math.h>

double naive(double x, double y) {
  double xx = x * x;
  double yy = y * y;
  return sqrt(xx + yy);
}

double stable(double x, double y) {
  double larger = fmax(fabs(x), fabs(y)), smaller = fmin(fabs(x), fabs(y));
  double ratio = larger > 0 ? smaller / larger : 0;
  return larger / 2 * sqrt(1 + ratio * ratio); // half of it: never out of range
}
