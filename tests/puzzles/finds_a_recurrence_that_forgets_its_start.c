// options: --range x=0.1:1 --evals 10000
// expect: naive inaccuracy line 9 above 1e-3 operation fsub
// silent: stable
#include <math.h>
// The integral of t^n exp(xt) from 0 to 1, by parts.
static double forward(int n, double x) {
  if (n == 0)
    return expm1(x) / x;
  return (exp(x) - n * forward(n - 1, x)) / x;
}

double naive(double x) { return forward(18, x); }

double stable(double x) {
  double integral = 0;
  for (int n = 40; n > 18; n--)
    integral = (exp(x) - x * integral) / n;
  return integral;
}
