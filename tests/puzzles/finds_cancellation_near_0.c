// expect: naive inaccuracy line 6 above 0.9 operation fsub verdict avoidable
// silent: stable
#include <math.h>

double naive(double x) {
  return x - sin(x);
}

double stable(double x) {
  double y = x * x;
  if (y < 1.0)
    return x * y / 6 * (1 - y / 20 * (1 - y / 42 * (1 - y / 72 * (1 - y / 110))));
  return x - sin(x);
}
