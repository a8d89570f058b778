// Rounding by a shift that is a template parameter's.
#include <cmath>

#include "eft.hpp"

namespace {

template <class Shift>
double to_grid(double x) {
  if (x > Shift::limit)
    x = Shift::limit;
  if (x < -Shift::limit)
    x = -Shift::limit;
  return (x + Shift::value) - Shift::value;
}

} // namespace

// Nearest multiple of 1/1024, ties to even multiples, of x clamped to
// [-2^41, 2^41].  Exact.
double to_1024th(double x) { return to_grid<eft::shifter<double, 10>>(x); }

// The IEEE remainder of x and y: x - n y, n the integer nearest to x/y, ties to
// even.  Exact.  0 if |y| is not in [1e-290, 1e290], or |x/y| is 2^50 or more.
double remainder_fma(double x, double y) {
  y = std::fabs(y);
  if (y < 1e-290 || y > 1e290 || std::fabs(x) >= 0x1p50 * y)
    return 0;
  double n = to_grid<eft::shifter<double, 0>>(x / y);
  double r = std::fma(-n, y, x);
  if (r > 0.5 * y)
    r -= y;
  else if (r < -0.5 * y)
    r += y;
  return r;
}
