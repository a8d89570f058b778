// options: --range b=10:1e9 --range c=0.1:1
// expect: naive inaccuracy line 8 above 0.9 operation fsub
// silent: stable
#include <math.h>

double naive(double b, double c) {
  double root = sqrt(b * b - 4 * c);
  return (root - b) / 2;
}

double stable(double b, double c) {
  double root = sqrt(b * b - 4 * c);
  return -2 * c / (b + root);
}
