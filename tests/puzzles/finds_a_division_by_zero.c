// options: --range x=-10:10
// expect: naive divide-by-zero line 7 operation fdiv
// silent: stable all
#include <math.h>

double naive(double x) {
  return x / floor(x);
}

double stable(double x) {
  double whole = floor(x);
  return whole == 0 ? x : x / whole;
}
