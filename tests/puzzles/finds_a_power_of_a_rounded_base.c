// options: --range x=1e-17:1e-14
// expect: naive inaccuracy line 8 above 1e-3 operation pow
// silent: stable
#include <math.h>

double naive(double x) {
  double base = 1.0 + x;
  return pow(base, 1e15);
}

double stable(double x) {
  return exp(1e15 * log1p(x));
}
