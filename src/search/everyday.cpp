#include "search/everyday.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faultline::search {
namespace {

struct Magnitudes {
  long double least, most;
};

// As the format has them: what it makes of 1e-9 is everyday, too.
Magnitudes everyday_magnitudes(const Dimension& dimension) {
  Dimension any = dimension;
  any.least = 0;
  any.low = -std::numeric_limits<long double>::infinity();
  any.high = std::numeric_limits<long double>::infinity();
  return dimension.format == numeric::Format::binary32 ? Magnitudes{any.nearest(1e-6L), any.nearest(1e6L)}
                                                       : Magnitudes{any.nearest(1e-9L), any.nearest(1e9L)};
}

bool has_everyday_values(const Dimension& dimension) {
  const auto [least, most] = everyday_magnitudes(dimension);
  return (dimension.low <= most && dimension.high >= least) || (dimension.low <= -least && dimension.high >= -most);
}

Dimension everyday_part(Dimension dimension) {
  if (!dimension.floating || dimension.held() || !has_everyday_values(dimension))
    return dimension;
  const auto [least, most] = everyday_magnitudes(dimension);
  if (dimension.low < least && dimension.high > -least) // otherwise there is nothing to be left out
    dimension.least = least;
  dimension.low = std::max(dimension.low, -most);
  dimension.high = std::min(dimension.high, most);
  // Ends between 0 and the least magnitude: the next everyday value inwards.
  if (dimension.low != 0 && std::fabs(dimension.low) < least)
    dimension.low = dimension.low < 0 ? 0 : least;
  if (dimension.high != 0 && std::fabs(dimension.high) < least)
    dimension.high = dimension.high > 0 ? 0 : -least;
  return dimension;
}

} // namespace

bool is_everyday(const Dimension& dimension, long double value) {
  if (!dimension.floating || value == 0 || dimension.held() || !has_everyday_values(dimension))
    return true;
  const auto [least, most] = everyday_magnitudes(dimension);
  return std::fabs(value) >= least && std::fabs(value) <= most;
}

bool is_everyday(const Space& space, const exec::Input& input) {
  for (size_t i = 0; i < space.dimensions.size(); ++i)
    if (!is_everyday(space.dimensions[i], input[i]))
      return false;
  return true;
}

bool reaches_beyond_everyday(const Space& space) {
  return std::ranges::any_of(space.dimensions, [](const Dimension& dimension) {
    const long double most = everyday_magnitudes(dimension).most;
    return dimension.floating && !dimension.held() && has_everyday_values(dimension) &&
           (dimension.low < -most || dimension.high > most);
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
    if (const Dimension& dimension = space.dimensions[i]; dimension.floating && has_everyday_values(dimension)) {
      const long double most = everyday_magnitudes(dimension).most;
      ranges[i].low = std::max(ranges[i].low, -most);
      ranges[i].high = std::min(ranges[i].high, most);
    }
  return ranges;
}

} // namespace faultline::search
