#include "search/ariadne/value_pool.h"

#include <algorithm>
#include <cmath>

namespace faultline::search {

using numeric::Int128;

namespace {

// Guesses, these and the shares by which kinds of values, ties and changes are drawn below: `faultline bench
// gsl-exceptions` counts what sampling finds.
constexpr size_t most_constants = 4096;
constexpr int tries = 8; // to draw a value that is in the range

// Of a hundred values, those up to each of these are: any floats, any reals, of ordinary size, of usual size, halves,
// constants; the rest are extreme.
constexpr uint64_t any_float = 18, any_real = 24, ordinary = 46, usual = 58, halves = 72, constants = 88, kinds = 100;

// Exponents, the last excluded.
struct ExponentRange {
  int first, end;
};
constexpr ExponentRange ordinary_size{-6, 10}, usual_size{-60, 100}, factors{-4, 4};

long double signed_value(long double magnitude, numeric::Rng& rng) { return rng.coin() ? magnitude : -magnitude; }

long double of_exponents(ExponentRange range, numeric::Rng& rng) {
  const int exponent = range.first + int(rng.below(uint64_t(range.end - range.first)));
  return std::ldexp(1 + (long double)rng.uniform(), exponent);
}

// A little beside it: some floats, or a small part of it.
long double beside(const Dimension& dimension, long double value, numeric::Rng& rng) {
  if (!dimension.floating)
    return value + (long double)rng.below(3) - 1;
  const int bits = int(rng.below(uint64_t(numeric::info(dimension.format).precision)));
  return value + signed_value(std::ldexp(std::fabs(value), -bits), rng);
}

// The largest and the smallest numbers, their roots, and the logarithms of them.
long double extreme(const Dimension& dimension, numeric::Rng& rng) {
  const numeric::FormatInfo info = numeric::info(dimension.format);
  const int ends[] = {info.max_exponent, info.min_exponent, info.min_exponent - info.precision + 1};
  const int end = ends[rng.below(3)];
  switch (rng.below(6)) {
  case 0:
    return 0;
  case 1:
    return std::ldexp(1 + (long double)rng.uniform(), end);
  case 2:
    return std::ldexp(1 + (long double)rng.uniform(), end / 2);
  case 3:
    return std::ldexp(1 + (long double)rng.uniform(), end / 3);
  case 4:
    return std::ldexp(1 + (long double)rng.uniform(), end / 4);
  default:
    return std::fabs(end * 0.6931471805599453L) * (0.9L + 0.2L * (long double)rng.uniform());
  }
}

} // namespace

ValuePool::ValuePool(const Space& space, const runtime::SiteTable& table) : space_(space) {
  for (const runtime::Constant& constant : table.constants)
    if (std::isfinite(constant.value) && constant.value != 0)
      constants_.push_back(std::fabs(constant.value));
  std::sort(constants_.begin(), constants_.end());
  constants_.erase(std::unique(constants_.begin(), constants_.end()), constants_.end());
  if (constants_.size() > most_constants)
    constants_.resize(most_constants);
  for (size_t i = 0; i < space.dimensions.size(); ++i)
    if (!space.dimensions[i].held())
      free_.push_back(i);
}

long double ValuePool::any_value(const Dimension& dimension, uint64_t kind, numeric::Rng& rng) const {
  if (kind < any_float)
    return dimension.at(uniform_between(dimension.order(dimension.low), dimension.order(dimension.high), rng));
  if (kind < any_real) {
    const long double share = rng.uniform();
    return dimension.low * (1 - share) + dimension.high * share;
  }
  if (kind < ordinary)
    return signed_value(of_exponents(ordinary_size, rng), rng);
  if (kind < usual)
    return signed_value(of_exponents(usual_size, rng), rng);
  if (kind < halves) {
    const auto half = (long double)rng.below(rng.coin() ? 24 : 400) / 2;
    return signed_value(rng.below(3) == 0 ? beside(dimension, half, rng) : half, rng);
  }
  if (kind < constants && !constants_.empty()) {
    const long double constant = constants_[rng.below(constants_.size())];
    switch (rng.below(4)) {
    case 0:
      return signed_value(constant, rng);
    case 1:
      return signed_value(1 / constant, rng);
    default:
      return signed_value(beside(dimension, constant, rng), rng);
    }
  }
  return signed_value(extreme(dimension, rng), rng);
}

long double ValuePool::draw(size_t which, numeric::Rng& rng) const { return draw(which, rng.below(kinds), rng); }

long double ValuePool::draw(size_t which, uint64_t kind, numeric::Rng& rng) const {
  const Dimension& dimension = space_.dimensions[which];
  if (dimension.held())
    return dimension.low;
  if (!dimension.floating)
    return dimension.at(uniform_between(dimension.order(dimension.low), dimension.order(dimension.high), rng));
  for (int i = 0; i < tries; ++i)
    if (const long double value = any_value(dimension, kind, rng); value >= dimension.low && value <= dimension.high)
      return dimension.nearest(value);
  return dimension.at(uniform_between(dimension.order(dimension.low), dimension.order(dimension.high), rng));
}

// To another input.
long double ValuePool::tied(const exec::Input& input, size_t which, numeric::Rng& rng) const {
  const long double other = input[free_[rng.below(free_.size())]];
  const Dimension& dimension = space_.dimensions[which];
  switch (rng.below(7)) {
  case 0:
    return other;
  case 1:
    return -other;
  case 2:
    return 1 - other;
  case 3:
    return other + signed_value((long double)rng.below(8) / 2, rng);
  case 4:
    return other * of_exponents(factors, rng);
  case 5:
    return other == 0 ? 0 : 1 / other;
  default:
    return beside(dimension, other, rng);
  }
}

exec::Input ValuePool::draw(numeric::Rng& rng) const {
  // Now and then all inputs of one kind: a mixture of four is hardly ever that.
  switch (rng.below(10)) {
  case 0:
    return space_.sample_floats(rng);
  case 1:
    return space_.sample_alike(rng);
  case 2:
    return space_.sample_reals(rng);
  default:
    break;
  }
  const bool alike = rng.below(3) == 0;
  const uint64_t kind = rng.below(kinds);
  exec::Input input;
  for (size_t i = 0; i < space_.dimensions.size(); ++i)
    input.push_back(alike ? draw(i, kind, rng) : draw(i, rng));
  if (free_.size() > 1)
    for (const size_t which : free_)
      if (rng.below(8) == 0)
        input[which] = space_.dimensions[which].nearest(tied(input, which, rng));
  return input;
}

long double ValuePool::changed(const exec::Input& input, size_t which, numeric::Rng& rng) const {
  const Dimension& dimension = space_.dimensions[which];
  if (!dimension.floating)
    return rng.coin() ? draw(which, rng) : beside(dimension, input[which], rng);
  switch (rng.below(8)) {
  case 0:
  case 1:
    return draw(which, rng);
  case 2:
    return -input[which];
  case 3:
    return std::ldexp(input[which], int(rng.below(129)) - 64);
  case 4:
    return std::rint(input[which] * 2) / 2;
  case 5:
    return free_.size() > 1 ? tied(input, which, rng) : std::sqrt(std::fabs(input[which]));
  default:
    return beside(dimension, input[which], rng);
  }
}

exec::Input ValuePool::mutate(const exec::Input& input, numeric::Rng& rng) const {
  exec::Input result = input;
  if (free_.empty())
    return result;
  do {
    const size_t which = free_[rng.below(free_.size())];
    result[which] = space_.dimensions[which].nearest(changed(result, which, rng));
  } while (rng.below(3) == 0);
  return result;
}

} // namespace faultline::search
