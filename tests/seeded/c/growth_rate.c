// The logarithm of a ratio that is next to 1 shows the rounding of the ratio and little else.
// options: --range before=1:2 --range after=1:2
#include <math.h>

double growth_rate(double before, double after) {
  const double periods = 12;
  double ratio = after / before;
  double total = log(ratio); // FAULT: sensitive-argument
  return total / periods;
}
