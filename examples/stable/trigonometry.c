/* Trigonometry in which nothing cancels: libm's sine is good for every double, and the formulas keep what it gives.
 *
 * options: --range a=-3:3 --range b=-3:3 --range angle=-3.1:3.1 --range latitude=-1.5:1.5 --range other=-1.5:1.5
 * options: --range apart=-3.1:3.1 */
#include <math.h>

/* N. Higham: Accuracy and Stability of Numerical Algorithms, 1.7: 1 - cos(x) by the half angle. */
double versine(double x) {
  double s = sin(0.5 * x);
  return 2.0 * s * s;
}

/* sin(x) / x; the quotient is good to two roundings wherever sin is. */
double sinc(double x) { return x == 0 ? 1 : sin(x) / x; }

/* (1 - cos(x)) / x^2, the function that papers like to break, by the half angle. */
double one_minus_cos(double x) {
  double h = 0.5 * x, q = h == 0 ? 1 : sin(h) / h;
  return 0.5 * q * q;
}

/* cos(a) - cos(b) as a product. Near a = -b and a = b the problem is ill-conditioned, and a + b, a - b are exact. */
double difference_of_cosines(double a, double b) { return -2.0 * sin(0.5 * (a + b)) * sin(0.5 * (a - b)); }

/* tan(angle / 2), without halving the angle: 1 + cos(angle) stays away from 0 on this range. */
double tangent_of_half(double angle) { return sin(angle) / (1.0 + cos(angle)); }

/* R. Sinnott: Virtues of the Haversine (1984): the distance of two places on the unit sphere, to the last few digits
 * for close places; on this range they are never opposite each other. By hypot, since h of close places underflows. */
double great_circle(double latitude, double other, double apart) {
  double s = sin(0.5 * (latitude - other)), t = sin(0.5 * apart), shrunk = cos(latitude) * cos(other);
  double h = s * s + shrunk * t * t;
  return 2.0 * atan2(hypot(s, sqrt(shrunk) * t), sqrt(1.0 - h));
}
