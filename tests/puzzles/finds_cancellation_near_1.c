// options: --range x=0.5:2
// expect: naive inaccuracy line 9 above 1e-3 operation fadd|fsub
// silent: stable
// known: not found yet by auto under every seed: the search ends on 1 itself, where there is no error
#include <math.h>

double naive(double x) {
  double root = sqrt(x);
  return root - 1.0;
}

double stable(double x) {
  return (x - 1.0) / (sqrt(x) + 1.0);
}
