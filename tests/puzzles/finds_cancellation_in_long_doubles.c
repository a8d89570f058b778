// expect: naive inaccuracy line 6 above 0.9 operation fsub
// silent: stable
#include <math.h>

long double naive(long double x) {
  return sqrtl(x + 1.0L) - sqrtl(x);
}

long double stable(long double x) {
  return 1.0L / (sqrtl(x + 1.0L) + sqrtl(x));
}
