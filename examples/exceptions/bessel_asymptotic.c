/* The modified Bessel function K_nu(x) exp(x) for large x by the first terms of its asymptotic series (Abramowitz and
 * Stegun 9.7.2). A few lines of arithmetic that can raise every exception there is: no x is refused.
 *
 *   faultline hunt examples/exceptions/bessel_asymptotic.c --for exceptions
 */
#include <math.h>

double bessel_asymptotic(double nu, double x) {
  double mu = 4 * nu * nu;
  double first = (mu - 1) / (8 * x);
  double second = (mu - 1) * (mu - 9) / (128 * x * x);
  return sqrt(1.5707963267948966 / x) * (1 + first + second);
}
