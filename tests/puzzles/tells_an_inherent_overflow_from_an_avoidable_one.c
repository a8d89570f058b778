// options: --range x=0:1000
// expect: naive overflow line 7 verdict inherent operation exp
// silent: naive inaccuracy
// silent: stable all
#include <math.h>

double naive(double x) { return exp(x) + x; }

double stable(double x) { return exp(fmin(x, 700.0)) + x; }
