#include "prove/cut.h"

#include <cmath>

namespace faultline::prove {
using numeric::next_above;

// If the quotient of the ends is larger, the cut is at the middle of their exponents.
constexpr double far_apart = 64;

double rounded_to(double value, Grid grid) {
  if (grid.whole)
    return std::rint(value);
  return double(numeric::nearest(value, grid.format));
}

bool can_be_cut(const Interval& interval, Grid grid) {
  return numeric::is_widest(grid.format) && !grid.whole ? next_above(interval.low) < interval.high
                                                        : interval.low < interval.high;
}

double float_above(double value, Grid grid) {
  if (grid.whole)
    return value + 1;
  return numeric::is_widest(grid.format) ? value : double(numeric::next_larger(value, grid.format));
}

double cut_of(const Interval& interval, Grid grid) {
  if (grid.whole)
    return std::floor(interval.low / 2 + interval.high / 2);
  const numeric::Format format = grid.format;
  double cut = interval.low / 2 + interval.high / 2;
  if (interval.low < 0 && interval.high > 0) {
    if (-interval.low < interval.high * far_apart && interval.high < -interval.low * far_apart)
      cut = 0;
  } else {
    // 0 has no exponent and is replaced by the smallest number.
    const double smallest =
        std::ldexp(1.0, numeric::info(std::min(format, numeric::Format::binary64)).smallest_exponent());
    const double least = std::max(interval.mignitude(), smallest), most = interval.magnitude();
    if (most > least * far_apart)
      cut = std::copysign(std::exp2((std::log2(least) + std::log2(most)) / 2), interval.high > 0 ? 1.0 : -1.0);
  }
  const auto is_inside = [&](double value) { return value >= interval.low && value < interval.high; };
  for (const double tried : {rounded_to(cut, format), rounded_to(interval.low / 2 + interval.high / 2, format)})
    if (is_inside(tried))
      return tried;
  return interval.low;
}

} // namespace faultline::prove
