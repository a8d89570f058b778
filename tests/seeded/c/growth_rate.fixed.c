// log1p of the relative change, whose difference is exact for numbers that are close.
// options: --range before=1:2 --range after=1:2
#include <math.h>

double growth_rate(double before, double after) {
  const double periods = 12;
  double change = (after - before) / before;
  double total = log1p(change);
  return total / periods;
}
