// options: --range x=0.5:2
// expect: naive inaccuracy line 8 above 1e-3 operation fadd
// silent: stable
#include <math.h>
double naive(double x) {
  int exponent;
  double mantissa = frexp(x, &exponent), whole = exponent * 0.6931471805599453;
  return log(mantissa) + whole;
}

double stable(double x) {
  return log(x);
}
