// expect: naive inaccuracy line 6 above 0.9 operation fsub
// silent: stable
#include <math.h>

double naive(double x) {
  return sqrt(x + 1.0) - sqrt(x);
}

double stable(double x) {
  return 1.0 / (sqrt(x + 1.0) + sqrt(x));
}
