/* one_minus_cos.c without its bug: half-angles do not cancel, and nothing is squared that may vanish. */
#include <math.h>

double one_minus_cos(double x) {
  if (fabs(x) < 1e-8)
    return 0.5;
  double half = x / 2;
  double ratio = sin(half) / half;
  return ratio * ratio / 2;
}
