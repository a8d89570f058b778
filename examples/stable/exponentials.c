/* Exponentials that keep their digits near 0.
 *
 * options: --range y=-700:700 --range r=-0.9:10 --range years=0:100 */
#include <math.h>

/* W. Kahan: Interval arithmetic options in the proposed IEEE floating point arithmetic standard (1980); N. Higham:
 * Accuracy and Stability of Numerical Algorithms, 1.14.1. u = exp(y) is rounded, but (u - 1) / log(u) varies so slowly
 * that it does not matter: what counts is that u is the same in both. */
double expm1_kahan(double y) {
  double u = exp(y);
  if (u == 1.0)
    return y;
  if (u - 1.0 == -1.0)
    return -1.0;
  return (u - 1.0) * (y / log(u));
}

/* (exp(y) - 1) / y, which is 1 at 0: one rounding more than expm1. */
double relative_exponential(double y) { return y == 0 ? 1 : expm1(y) / y; }

/* fdlibm: with e = exp(|y|) - 1, all of e + e / (e + 1) is positive. */
double sinh_by_expm1(double y) {
  double e = expm1(fabs(y));
  return copysign(0.5 * (e + e / (e + 1.0)), y);
}

/* fdlibm: t = exp(-2|x|) - 1 lies between -1 and 0, so that t + 2 cannot cancel. */
double tanh_by_expm1(double x) {
  double t = expm1(-2.0 * fabs(x));
  return copysign(-t / (t + 2.0), x);
}

/* (1 + r)^years - 1, as banks should do it: a small r is not lost in 1 + r, nor a small interest in the power. */
double compound_interest(double r, double years) { return expm1(years * log1p(r)); }

/* 1 / (exp(y) - 1): the mean number of photons, Planck. */
double occupation_number(double y) { return 1.0 / expm1(y); }
