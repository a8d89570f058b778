// options: --range x=1e6:1e8 --range y=1e6:1e8
// expect: naive inaccuracy line 8 above 1e-3 operation sin
// silent: stable
#include <math.h>

double naive(double x, double y) {
  double angle = x * y;
  return sin(angle);
}

double stable(double x, double y) {
  double angle = x * y;
  double rest = fma(x, y, -angle);
  return sin(angle) * cos(rest) + cos(angle) * sin(rest);
}
