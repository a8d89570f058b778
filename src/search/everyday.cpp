#include "search/everyday.h"

#include "numeric/decimal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace faultline::search {
namespace {

// As the format has them: what it makes of 1e-9 is everyday, too. Nothing if all values are.
std::optional<Stretch> everyday_values(const Dimension& dimension) {
  if (dimension.everyday || !dimension.floating)
    return dimension.everyday;
  Dimension any = dimension;
  any.least = 0;
  any.low = -std::numeric_limits<long double>::infinity();
  any.high = std::numeric_limits<long double>::infinity();
  const int power = numeric::info(dimension.format).everyday_power;
  const long double most = any.nearest(numeric::power_of_ten(power));
  return Stretch{-most, most, any.nearest(numeric::power_of_ten(-power))};
}

// Of a dimension that has some of them, and others.
std::optional<Stretch> everyday_among_others(const Dimension& dimension) {
  const std::optional<Stretch> values = dimension.held() ? std::nullopt : everyday_values(dimension);
  const auto meets = [&](long double low, long double high) {
    return low <= high && dimension.low <= high && dimension.high >= low;
  };
  const bool any = values && (meets(std::max(values->low, values->least), values->high) ||
                              meets(values->low, std::min(values->high, -values->least)));
  return any ? values : std::nullopt;
}

Dimension everyday_part(Dimension dimension) {
  const std::optional<Stretch> values = everyday_among_others(dimension);
  if (!values)
    return dimension;
  const long double least = values->least;
  if (dimension.low < least && dimension.high > -least) // otherwise there is nothing to be left out
    dimension.least = std::max(dimension.least, least);
  dimension.low = std::max(dimension.low, values->low);
  dimension.high = std::min(dimension.high, values->high);
  // Ends between 0 and the least magnitude: the next everyday value inwards.
  if (dimension.low != 0 && std::fabs(dimension.low) < least)
    dimension.low = dimension.low < 0 ? 0 : least;
  if (dimension.high != 0 && std::fabs(dimension.high) < least)
    dimension.high = dimension.high > 0 ? 0 : -least;
  return dimension;
}

} // namespace

bool is_everyday(const Dimension& dimension, long double value) {
  const std::optional<Stretch> values = everyday_among_others(dimension);
  return !values ||
         (value >= values->low && value <= values->high && (value == 0 || std::fabs(value) >= values->least));
}

bool is_everyday(const Space& space, const exec::Input& input) {
  for (size_t i = 0; i < space.dimensions.size(); ++i)
    if (!is_everyday(space.dimensions[i], input[i]))
      return false;
  return true;
}

bool reaches_beyond_everyday(const Space& space) {
  return std::ranges::any_of(space.dimensions, [](const Dimension& dimension) {
    const std::optional<Stretch> values = everyday_among_others(dimension);
    return values && (dimension.low < values->low || dimension.high > values->high);
  });
}

Space everyday_part(const Space& space) {
  Space part;
  for (const Dimension& dimension : space.dimensions)
    part.dimensions.push_back(everyday_part(dimension));
  return part;
}

std::vector<constraint::InputRange> everyday_ranges(std::vector<constraint::InputRange> ranges, const Space& space) {
  for (size_t i = 0; i < ranges.size(); ++i)
    if (const std::optional<Stretch> values = everyday_among_others(space.dimensions[i])) {
      ranges[i].low = std::max(ranges[i].low, values->low);
      ranges[i].high = std::min(ranges[i].high, values->high);
    }
  return ranges;
}

} // namespace faultline::search
