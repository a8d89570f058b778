#include "search/everyday.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faultline::search {

EverydaySize everyday_size(numeric::Format format) {
  return format == numeric::Format::binary32 ? EverydaySize{1e-6L, 1e6L} : EverydaySize{1e-9L, 1e9L};
}

namespace {

// The ends are values of the format: what it makes of 1e-9 is everyday, too.
Dimension everyday_part(Dimension dimension) {
  if (!dimension.floating || dimension.held())
    return dimension;
  Dimension everyday = dimension;
  everyday.low = -std::numeric_limits<long double>::infinity();
  everyday.high = std::numeric_limits<long double>::infinity();
  const EverydaySize size = everyday_size(dimension.format);
  const long double least = everyday.nearest(size.least), largest = everyday.nearest(size.largest);
  const bool has_positive = dimension.high >= least && dimension.low <= largest;
  const bool has_negative = dimension.low <= -least && dimension.high >= -largest;
  if (!has_positive && !has_negative)
    return dimension;
  everyday.least = least;
  everyday.low = std::max(dimension.low, -largest);
  everyday.high = std::min(dimension.high, largest);
  // Ends between 0 and the least magnitude: the next everyday value inwards.
  if (everyday.low != 0 && std::fabs(everyday.low) < least)
    everyday.low = everyday.low < 0 ? 0 : least;
  if (everyday.high != 0 && std::fabs(everyday.high) < least)
    everyday.high = everyday.high > 0 ? 0 : -least;
  return everyday;
}

} // namespace

Space everyday_part(const Space& space) {
  Space part;
  for (const Dimension& dimension : space.dimensions)
    part.dimensions.push_back(everyday_part(dimension));
  return part;
}

bool is_in(const Space& part, const exec::Input& input) {
  for (size_t i = 0; i < part.dimensions.size(); ++i) {
    const Dimension& dimension = part.dimensions[i];
    const long double value = input[i];
    if (!dimension.floating || dimension.held())
      continue;
    if (!(value >= dimension.low && value <= dimension.high) || (value != 0 && std::fabs(value) < dimension.least))
      return false;
  }
  return true;
}

} // namespace faultline::search
