// Double-double arithmetic.
#include <cmath>

#include "eft.hpp"

namespace eft {

namespace {

dd renormalise(double a, double b) {
  double s = a + b;
  return {s, b - (s - a)};
}

// The nearest multiple of 2^-50.
double to_fixed(double x) {
  if (std::fabs(x) >= 4)
    return x;
  double four = std::copysign(4.0, x);
  return (x + four) - four;
}

} // namespace

// The sum of a = ahi + alo and b = bhi + blo.  Exact, normalised.  Each part is
// clamped to 2^19, and 0 if below 2^-27.
void dd_add(double ahi, double alo, double bhi, double blo, double* hi, double* lo) {
  dd a = two_sum(in_range(ahi, 0x1p-27, 0x1p19), in_range(alo, 0x1p-27, 0x1p19));
  dd b = two_sum(in_range(bhi, 0x1p-27, 0x1p19), in_range(blo, 0x1p-27, 0x1p19));
  dd s = two_sum(a.hi, b.hi);
  dd t = two_sum(a.lo, b.lo);
  s = renormalise(s.hi, s.lo + t.hi);
  s = renormalise(s.hi, s.lo + t.lo);
  *hi = s.hi;
  *lo = s.lo;
}

// The product of a = ahi + alo and b.  Exact, normalised.  ahi and alo are
// clamped to 2^17 and rounded to multiples of 2^-50; b is clamped to 2^19 and
// rounded to a multiple of 2^-16.
dd dd_mul_d(double ahi, double alo, double b) {
  dd a = two_sum(to_fixed(in_range(ahi, 0, 0x1p17)), to_fixed(in_range(alo, 0, 0x1p17)));
  b = in_range(b, 0, 0x1p19);
  b = (b + 0x1.8p36) - 0x1.8p36;
  dd p = two_prod(a.hi, b);
  return renormalise(p.hi, p.lo + a.lo * b);
}

// The quotient a/b in double-double: hi is a/b rounded, lo is a/b - hi with a
// relative error below 1e-15.  a and b are clamped to 2^300, and 0 if below
// 2^-300; the quotient by 0 is 0.
dd dd_div(double a, double b) {
  a = in_range(a, 0x1p-300, 0x1p300);
  b = in_range(b, 0x1p-300, 0x1p300);
  if (b == 0)
    return {0, 0};
  double q = a / b;
  double rest = std::fma(-q, b, a);
  return {q, rest / b};
}

// The square root of x in double-double: hi is rounded to nearest, lo has a
// relative error below 1e-15.  0 for x below 2^-900.
dd dd_sqrt(double x) {
  if (x < 0x1p-900)
    return {0, 0};
  double r = std::sqrt(x);
  dd square = two_prod(r, r);
  double rest = (x - square.hi) - square.lo;
  return {r, rest / (2 * r)};
}

} // namespace eft
