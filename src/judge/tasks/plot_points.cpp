#include "judge/tasks/plot_points.h"

#include "numeric/decimal.h"
#include "numeric/ulp.h"
#include "search/everyday.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace faultline::judge {

using numeric::Int128;
using search::Dimension;

namespace {

std::vector<long double> values_of(const Dimension& dimension, const std::set<Int128>& orders) {
  std::vector<long double> values;
  for (const Int128 order : orders)
    values.push_back(dimension.at(order));
  return values;
}

// The order of a number of few digits that is nearer than half a step, or the order itself.
Int128 readable(const Dimension& dimension, Int128 order, Int128 step) {
  for (int digits = 2; digits <= 6; ++digits) {
    const auto shorter = numeric::parse_number(fmt::format("{:.{}e}", dimension.at(order), digits), dimension.format);
    if (!shorter)
      continue;
    const Int128 found = dimension.order(dimension.nearest(*shorter));
    if (2 * (found > order ? found - order : order - found) < step)
      return found;
  }
  return order;
}

// The part of the range that a reader looks at first.
Dimension close_part(const Dimension& dimension, long double value) {
  const search::Space everyday = search::everyday_part({{dimension}});
  if (search::is_everyday(dimension, value))
    return everyday.dimensions.front();
  constexpr long double decades = 1e9L; // as many as everyday numbers have on each side of 1
  const long double size = std::fabs(value);
  const long double least = std::max(size / decades, numeric::smallest_normal(dimension.format));
  const long double most = std::min(size * decades, numeric::largest(dimension.format));
  Dimension close = dimension;
  close.low = std::max(dimension.low, dimension.nearest(value < 0 ? -most : least));
  close.high = std::min(dimension.high, dimension.nearest(value < 0 ? -least : most));
  close.low = std::min(close.low, value); // a subnormal value
  close.high = std::max(close.high, value);
  return close;
}

} // namespace

std::vector<long double> points_around(const Dimension& dimension, long double value, size_t count) {
  const Int128 centre = dimension.order(value), low = dimension.order(dimension.low),
               high = dimension.order(dimension.high);
  const int binade = numeric::info(dimension.format).precision - 1;
  const size_t side = count / 2, near = std::max<size_t>(1, side / 4), far = side - std::min(side, near);
  std::set<Int128> orders = {centre};
  auto add = [&](Int128 distance) {
    if (centre <= high - distance)
      orders.insert(centre + distance);
    if (centre >= low + distance)
      orders.insert(centre - distance);
  };
  for (size_t i = 1; i <= near; ++i)
    add(Int128(i));
  const double growth = far > 0 ? (binade - std::log2(double(near))) / double(far) : 0;
  for (size_t i = 1; i <= far; ++i)
    add(Int128(std::exp2l(std::log2(double(near)) + growth * double(i))));
  return values_of(dimension, orders);
}

std::vector<long double> points_of_range(const Dimension& dimension, long double value, size_t count) {
  const Int128 low = dimension.order(dimension.low), width = dimension.width();
  const auto steps = Int128(std::max<size_t>(2, count)) - 1;
  const Int128 step = width / steps;
  std::set<Int128> orders = {dimension.order(value), low, low + width};
  for (Int128 i = 1; i < steps; ++i)
    orders.insert(readable(dimension, low + width / steps * i + width % steps * i / steps, step));
  return values_of(dimension, orders);
}

std::vector<long double> points_to_read(const Dimension& dimension, long double value, size_t count) {
  const bool given = dimension.given();
  const Dimension close = close_part(dimension, value);
  const size_t rest = count - count / 2, even = given ? rest / 2 : 0;
  const std::vector<long double> all = points_of_range(dimension, value, count / 2);
  std::set<long double> values(all.begin(), all.end());
  for (const long double point : points_of_range(close, value, rest - even))
    values.insert(point);
  for (size_t i = 1; i < even; ++i)
    values.insert(dimension.nearest(dimension.low + (dimension.high - dimension.low) * (long double)(i) / even));
  return {values.begin(), values.end()};
}

std::vector<size_t> coarse_to_fine(size_t n) {
  std::vector<size_t> order;
  size_t stride = 1;
  while (2 * stride < n)
    stride *= 2;
  std::vector<bool> taken(n);
  auto take = [&](size_t i) {
    if (!taken[i])
      order.push_back(i);
    taken[i] = true;
  };
  for (size_t i = 0; i < n; i += stride)
    take(i);
  if (n > 0)
    take(n - 1); // both ends are in every plot
  for (stride /= 2; stride > 0; stride /= 2)
    for (size_t i = stride; i < n; i += 2 * stride)
      take(i);
  return order;
}

} // namespace faultline::judge
