// Results accurate to the last place or two by means of error terms.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "eft.hpp"

namespace accurate {

using eft::dd;
using eft::in_range;
using eft::two_prod;
using eft::two_sum;

// a b - c d, within 1.5 units in the last place (Kahan).  The arguments are
// clamped to 2^450, and 0 if below 2^-400.
double diff_of_products(double a, double b, double c, double d) {
  a = in_range(a, 0x1p-400, 0x1p450);
  b = in_range(b, 0x1p-400, 0x1p450);
  c = in_range(c, 0x1p-400, 0x1p450);
  d = in_range(d, 0x1p-400, 0x1p450);
  double w = c * d;
  double e = std::fma(c, d, -w);
  double f = std::fma(a, b, -w);
  return f - e;
}

// a + b rounded to odd: the last bit is 1 if the sum is not exact.
static double add_round_to_odd(double a, double b) {
  dd s = two_sum(a, b);
  if (s.lo == 0)
    return s.hi;
  std::int64_t bits;
  std::memcpy(&bits, &s.hi, sizeof bits);
  if (!(bits & 1))
    bits += (s.lo > 0) == (s.hi > 0) ? 1 : -1;
  std::memcpy(&s.hi, &bits, sizeof bits);
  return s.hi;
}

// a + b + c, correctly rounded (Boldo and Melquiond).  The terms are clamped
// to 2^1000.
double sum3_rounded(double a, double b, double c) {
  dd u = two_sum(in_range(b, 0, 0x1p1000), in_range(c, 0, 0x1p1000));
  dd t = two_sum(in_range(a, 0, 0x1p1000), u.hi);
  double v = add_round_to_odd(t.lo, u.lo);
  return t.hi + v;
}

// x^5 - 5 x^4 + 10 x^3 - 10 x^2 + 5 x - 1 by the compensated Horner scheme, x
// clamped to [-4, 4] and rounded to a multiple of 2^-12.  Relative error below
// 1e-14, also around the fivefold root.
double horner_comp(double x) {
  constexpr double shift = eft::shifter<double, 12>::value;
  x = in_range(x, 0, 4);
  x = (x + shift) - shift;
  double s = eft::binomial5[0];
  double comp = 0;
  for (int i = 1; i < 6; ++i) {
    dd p = two_prod(s, x);
    dd t = two_sum(p.hi, eft::binomial5[i]);
    s = t.hi;
    comp = comp * x + (p.lo + t.lo);
  }
  return s + comp;
}

// The sum of six terms (Neumaier), correctly rounded or next to it.  Terms are
// clamped to 2^30, and 0 if below 2^-18.
double neumaier_sum(const double x[6]) {
  double sum = 0, comp = 0;
  for (int i = 0; i < 6; ++i) {
    double v = in_range(x[i], 0x1p-18, 0x1p30);
    double t = sum + v;
    if (std::fabs(sum) >= std::fabs(v))
      comp += (sum - t) + v;
    else
      comp += (v - t) + sum;
    sum = t;
  }
  return sum + comp;
}

// sqrt(x^2 + y^2) within one unit in the last place: exact squares by
// splitting, then one correction of the root.  x and y are clamped to 2^400,
// and 0 if below 2^-400.
double hypot_split(double x, double y) {
  x = std::fabs(in_range(x, 0x1p-400, 0x1p400));
  y = std::fabs(in_range(y, 0x1p-400, 0x1p400));
  if (x < y)
    std::swap(x, y);
  if (y == 0)
    return x;
  auto square = [](double a) {
    double t = 134217729.0 * a;
    double h = t - (t - a);
    double l = a - h;
    double p = a * a;
    return dd{p, ((h * h - p) + 2 * h * l) + l * l};
  };
  dd xx = square(x), yy = square(y);
  dd s = two_sum(xx.hi, yy.hi);
  double rest = s.lo + (xx.lo + yy.lo);
  double r = std::sqrt(s.hi);
  dd rr = square(r);
  return r + ((s.hi - rr.hi) - rr.lo + rest) / (2 * r);
}

// The area of a triangle with sides a, b, c (Kahan's form of Heron's formula,
// the differences are exact by Sterbenz's lemma).  Relative error below 2e-15;
// 0 if there is no such triangle.  Sides are clamped to 1e70, and 0 if negative
// or below 1e-70.
double triangle_area(double a, double b, double c) {
  auto side = [](double s) { return s < 1e-70 ? 0.0 : std::min(s, 1e70); };
  a = side(a);
  b = side(b);
  c = side(c);
  if (a < b)
    std::swap(a, b);
  if (b < c)
    std::swap(b, c);
  if (a < b)
    std::swap(a, b);
  double d = c - (a - b);
  if (d <= 0)
    return 0;
  return 0.25 * std::sqrt((a + (b + c)) * d * (c + (a - b)) * (a + (b - c)));
}

} // namespace accurate
