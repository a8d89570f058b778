// options: --range x=0.5:2
// expect: naive inaccuracy line 8 above 1e-3 operation fadd|fsub
// silent: stable
#include <math.h>

double naive(double x) {
  double root = sqrt(x);
  return root - 1.0;
}

double stable(double x) {
  return (x - 1.0) / (sqrt(x) + 1.0);
}
