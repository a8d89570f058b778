// options: --range x=1e-100:1e100 --evals 5000
// expect: naive inaccuracy line 18 above 1e-3 operation fadd|fsub
// silent: stable
#include <math.h>

static double root(double x) {
  double before = 0, now = x;
  while (fabs(now - before) > 1e-14 * now) {
    before = now;
    now = (now + x / now) / 2;
  }
  return now;
}

double stable(double x) { return root(x); }

double naive(double x) {
  return root(1 + x) - 1;
}
