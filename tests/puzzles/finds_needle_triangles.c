// options: --range a=1:10 --range b=1:10 --range c=1:10
// expect: naive inaccuracy line 8 above 1e-3 operation fsub
// silent: stable
#include <math.h>

double naive(double a, double b, double c) {
  double s = (a + b + c) / 2;
  return sqrt(s * (s - a) * (s - b) * (s - c));
}

double stable(double a, double b, double c) {
  double x = fmax(a, fmax(b, c)), z = fmin(a, fmin(b, c));
  double y = fmax(fmin(a, b), fmin(fmax(a, b), c));
  return sqrt((x + (y + z)) * (z - (x - y)) * (z + (x - y)) * (x + (y - z))) / 4;
}
