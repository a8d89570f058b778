/* Lengths without overflow, underflow or loss: the larger number is taken out first.
 *
 * options: --size w=4 --hold n=4 */
#include <math.h>

/* C. Moler, D. Morrison: Replacing Square Roots by Pythagorean Sums (1983), on the classical scaling: all is positive.
 */
double hypot_scaled(double x, double y) {
  double larger = fmax(fabs(x), fabs(y)), smaller = fmin(fabs(x), fabs(y));
  if (larger == 0)
    return 0;
  double ratio = smaller / larger;
  return larger * sqrt(1.0 + ratio * ratio);
}

/* S. Hammarling's loop in the reference BLAS (DNRM2, 1982): the largest so far is the scale. */
double norm_scaled(const double* w, int n) {
  double scale = 0, sum = 1;
  for (int i = 0; i < n; i++) {
    double size = fabs(w[i]);
    if (size == 0)
      continue;
    if (scale < size) {
      sum = 1 + sum * (scale / size) * (scale / size);
      scale = size;
    } else {
      sum += (size / scale) * (size / scale);
    }
  }
  return scale * sqrt(sum);
}
