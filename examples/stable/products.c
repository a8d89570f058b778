/* Differences of products by fma: what the rounding of one product lost is known exactly, and put back.
 *
 * options: --range a=-1e70:1e70 --range b=-1e70:1e70 --range c=-1e70:1e70 --range d=-1e70:1e70
 * options: --range p=0.001:1000 --range q=0.001:1000 --range r=-1000:1000 */
#include <math.h>

/* Kahan's algorithm; C.-P. Jeannerod, N. Louvet, J.-M. Muller: Further analysis of Kahan's algorithm for the accurate
 * computation of 2x2 determinants (2013): 1.5 ulps, whatever the values, as long as nothing underflows. */
static double cross(double a, double b, double c, double d) {
  double product = b * c, lost = fma(-b, c, product);
  return fma(a, d, -product) + lost;
}

double determinant(double a, double b, double c, double d) { return cross(a, b, c, d); }

/* W. Kahan: On the Cost of Floating-Point Computation Without Extra-Precise Arithmetic (2004): the roots of
 * p x^2 - 2 q x + r. The discriminant by the above; the larger root without cancellation, the other one from it. If
 * they are not real, both are the real part. */
struct roots {
  double larger, smaller;
};
void quadratic(double p, double q, double r, struct roots* x) {
  double discriminant = cross(q, p, r, q);
  if (discriminant < 0) {
    x->larger = x->smaller = q / p;
    return;
  }
  double s = q + copysign(sqrt(discriminant), q);
  x->larger = s == 0 ? 0 : s / p;
  x->smaller = s == 0 ? 0 : r / s;
}
