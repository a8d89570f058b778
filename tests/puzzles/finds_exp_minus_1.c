// expect: naive inaccuracy line 7 above 0.9 operation fadd|fsub
// silent: stable
#include <math.h>

double naive(double x) {
  double power = exp(x);
  return power - 1.0;
}

double stable(double x) {
  return expm1(x);
}
