/* Logarithms that keep their digits where they are near 0.
 *
 * options: --range y=-0.9999999:1e300 --range t=-0.9999999:0.9999999 --range u=1:1e150 --range v=-1e150:1e150
 * options: --range p=1e-300:0.9999999 --range a=-700:700 --range b=-700:700 */
#include <math.h>

/* W. Kahan, in the HP-15C Advanced Functions Handbook (1982); D. Goldberg: What Every Computer Scientist Should Know
 * About Floating-Point Arithmetic (1991), Theorem 4: 5 eps, if log is good to half an ulp. */
double log1p_kahan(double y) {
  double u = 1.0 + y;
  return u == 1.0 ? y : log(u) * (y / (u - 1.0));
}

/* fdlibm: atanh(t) = log1p(2t / (1 - t)) / 2; 1 - t is as exact as t. */
double atanh_by_log1p(double t) {
  double z = fabs(t);
  return copysign(0.5 * log1p(2.0 * z / (1.0 - z)), t);
}

/* fdlibm: sqrt(1 + v^2) - 1 = v^2 / (1 + sqrt(1 + v^2)), and nothing cancels. */
double asinh_by_log1p(double v) {
  double z = fabs(v), square = v * v;
  return copysign(log1p(z + square / (1.0 + sqrt(1.0 + square))), v);
}

/* fdlibm: u - 1 is exact near 1, where acosh(u) is about sqrt(2 (u - 1)). */
double acosh_by_log1p(double u) {
  double t = u - 1.0;
  return log1p(t + sqrt(2.0 * t + t * t));
}

/* log(cosh(x)): cosh(x) - 1 = 2 sinh(x / 2)^2 where it is small; elsewhere cosh would overflow long before its
 * logarithm does. */
double log_cosh(double x) {
  double z = fabs(x);
  if (z < 1.0) {
    double s = sinh(0.5 * z);
    return log1p(2.0 * s * s);
  }
  return z + (log1p(exp(-2.0 * z)) - 0x1.62e42fefa39efp-1);
}

/* P. Blanchard, D. Higham, N. Higham: Accurately computing the log-sum-exp and softmax functions (2021): shifted by the
 * maximum. Where the sum of the exponentials is near 1, the problem is ill-conditioned. */
double log_sum_exp(double a, double b) {
  double larger = fmax(a, b), smaller = fmin(a, b);
  return larger + log1p(exp(smaller - larger));
}

/* M. Maechler: Accurately computing log(1 - exp(-|a|)) (2012), for softplus: no side overflows, no side is lost. */
double softplus(double x) { return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)); }

/* log(p / (1 - p)), near 1/2 by log1p of (2p - 1) / (1 - p), of which both differences are exact there. */
double logit(double p) { return p < 0.25 || p > 0.75 ? log(p / (1.0 - p)) : log1p((2.0 * p - 1.0) / (1.0 - p)); }

/* log(1 - p), of which 1 - p forgets a small p. */
double log_of_complement(double p) { return log1p(-p); }
