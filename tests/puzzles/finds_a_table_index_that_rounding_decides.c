// options: --range x=0:0.75
// expect: naive inaccuracy|branch-flip any above 1e-3
// silent: stable
#include <math.h>
static const double table[10] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};

double naive(double x) {
  return table[(int)floor(x * 10)] * (1 + x);
}

double stable(double x) {
  double position = x * 10, left = floor(position);
  double low = table[(int)left], high = table[(int)left + 1];
  return low + (position - left) * (high - low);
}
