#include "search/bracket/base_points.h"

#include <cmath>

namespace faultline::search {
namespace {

// Guesses.
constexpr int smallest = -4;                            // exponent of ordinary values
constexpr int base_binades = 12, ordinary_binades = 24; // from there on: to 2^8, and where steps are many to 2^20
constexpr uint64_t base_kinds = 8; // of which two are alike, one any floats, one any reals, and four of ordinary size
constexpr uint64_t any_floats_one_in = 8;
constexpr long double near_an_end = 0.25; // of the range

// Of either sign, each binade as likely as any other.
long double any_of_binades(int binades, numeric::Rng& rng) {
  const long double fraction = 1 + (long double)rng.uniform();
  const long double size = std::ldexp(fraction, smallest + int(rng.below(uint64_t(binades))));
  return rng.coin() ? size : -size;
}

} // namespace

std::vector<size_t> moving_floats(const Space& space) {
  std::vector<size_t> floats;
  for (size_t i = 0; i < space.dimensions.size(); ++i)
    if (space.dimensions[i].floating && !space.dimensions[i].held())
      floats.push_back(i);
  return floats;
}

exec::Input base_point(const Space& space, numeric::Rng& rng) {
  const uint64_t kind = rng.below(base_kinds);
  if (kind >= 6)
    return space.sample_alike(rng);
  if (kind == 5)
    return space.sample_floats(rng);
  exec::Input input = space.sample_reals(rng);
  if (kind == 4)
    return input;
  for (size_t i : moving_floats(space))
    if (const long double value = any_of_binades(base_binades, rng); !space.dimensions[i].given() || rng.coin())
      input[i] = space.dimensions[i].nearest(value);
  return input;
}

exec::Input ordinary_point(const Space& space, numeric::Rng& rng) {
  if (rng.below(any_floats_one_in) == 0)
    return space.sample_floats(rng);
  exec::Input point = space.sample_reals(rng);
  for (size_t i : moving_floats(space)) {
    const Dimension& dimension = space.dimensions[i];
    if (dimension.given())
      continue;
    if (const long double value = any_of_binades(ordinary_binades, rng);
        value >= dimension.low && value <= dimension.high)
      point[i] = dimension.nearest(value);
  }
  return point;
}

std::vector<exec::Input> spread_points(const Space& space, size_t count, numeric::Rng& rng) {
  const std::vector<size_t> floats = moving_floats(space);
  std::vector<exec::Input> points;
  for (size_t number = 0; number < count; ++number) {
    points.push_back(base_point(space, rng));
    for (size_t i : floats) {
      const Dimension& dimension = space.dimensions[i];
      if (number > 1 || !dimension.given())
        continue;
      const bool upper = floats.size() > 1 ? rng.coin() : number == 1;
      const long double step = near_an_end * (long double)rng.uniform() * (dimension.high - dimension.low);
      points.back()[i] = dimension.nearest(upper ? dimension.high - step : dimension.low + step);
    }
  }
  return points;
}

} // namespace faultline::search
