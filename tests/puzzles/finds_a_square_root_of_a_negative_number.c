// options: --range x=-10:10
// expect: naive invalid line 7 operation sqrt
// silent: stable all
#include <math.h>

double naive(double x) {
  return sqrt(x - 1);
}

double stable(double x) {
  return sqrt(x * x + 1);
}
