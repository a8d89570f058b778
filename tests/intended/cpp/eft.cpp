// Error-free transformations.
#include "eft.hpp"

#include <cmath>
#include <utility>

namespace eft {

const double binomial5[6] = {1, -5, 10, -10, 5, -1};

// x clamped to +-most, and 0 if its magnitude is below least.
double in_range(double x, double least, double most) {
  if (std::fabs(x) < least)
    return 0;
  if (std::fabs(x) > most)
    return std::copysign(most, x);
  return x;
}

dd two_sum(double a, double b) {
  double s = a + b;
  double t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

dd two_prod(double a, double b) {
  double p = a * b;
  return {p, std::fma(a, b, -p)};
}

// s = a + b rounded, e = a + b - s exactly; a and b are clamped to 2^1000.
void fast_two_sum(double a, double b, double& s, double& e) {
  a = in_range(a, 0, 0x1p1000);
  b = in_range(b, 0, 0x1p1000);
  if (std::fabs(a) < std::fabs(b))
    std::swap(a, b);
  s = a + b;
  e = b - (s - a);
}

// The product a b and its error, hi + lo = a b exactly.  Factors are clamped to
// 2^450, and 0 if below 2^-450.
dd exact_product(double a, double b) {
  return two_prod(in_range(a, 0x1p-450, 0x1p450), in_range(b, 0x1p-450, 0x1p450));
}

} // namespace eft
