// options: --range x=0:1000 --range y=0:1000
// expect: naive overflow line 7 verdict avoidable operation exp
// silent: naive
// silent: stable all
#include <math.h>

double naive(double x, double y) { return log(exp(x) + exp(y)); }

double stable(double x, double y) {
  return fmax(x, y) + log1p(exp(-fabs(x - y)));
}
