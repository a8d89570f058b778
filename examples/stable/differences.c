/* Differences of things that are nearly the same, rewritten so that only inputs are subtracted: an input is exact, and
 * so its difference with another is as good as it can be.
 *
 * options: --range y=-1:1e300 --range z=0:1e300 --range a=-1e150:1e150 --range b=-1e150:1e150
 * options: --range beta=-0.9999999:0.9999999 --range s=0:1e150 --range t=0:1e150 */
#include <math.h>

/* Higham, 1.8: sqrt(1 + y) - 1, multiplied by its conjugate. */
double root_minus_1(double y) { return y / (1.0 + sqrt(1.0 + y)); }

/* Higham, 1.8: sqrt(z + 1) - sqrt(z), the same way. */
double difference_of_roots(double z) { return 1.0 / (sqrt(z + 1.0) + sqrt(z)); }

/* sqrt(s) - sqrt(t), the same way: s - t has one rounding. */
double difference_of_two_roots(double s, double t) { return s == t ? 0 : (s - t) / (sqrt(s) + sqrt(t)); }

/* Goldberg, section 1.4: a^2 - b^2, factored. */
double difference_of_squares(double a, double b) { return (a - b) * (a + b); }

/* 1 / sqrt(1 - beta^2) - 1, the kinetic energy of a unit mass: 1 - beta^2 factored, the difference by the conjugate. */
double kinetic_energy(double beta) {
  double root = sqrt((1.0 - beta) * (1.0 + beta));
  return beta * beta / (root * (1.0 + root));
}

/* P. Sterbenz: Floating-Point Computation (1974): the average, without overflow, chosen by the signs. */
double average(double p, double q) {
  if ((p >= 0) != (q >= 0))
    return (p + q) / 2.0;
  return q >= p ? p + (q - p) / 2.0 : q + (p - q) / 2.0;
}
