// expect: naive inaccuracy line 13 above 0.9 operation fsub
// silent: stable
#include <math.h>
#include <stdint.h>

union bits { double value; uint64_t word; };

double naive(double x) {
  volatile union bits from, to;
  from.value = cos(x);
  to.word = from.word;
  double cosine = to.value;
  return 1 - cosine;
}

double stable(double x) {
  volatile union bits sine = {sin(x / 2)};
  sine.word &= INT64_MAX; // fabs
  return 2 * sine.value * sine.value;
}
