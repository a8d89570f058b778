#include "search/sampling.h"

#include <algorithm>
#include <cmath>

namespace faultline::search {

using numeric::Int128;

namespace {

// Guesses.
constexpr Int128 few = 256;           // positions of a line, of which all are taken: integers, mostly
constexpr int closer = 6;             // times as many reals of a range that was given, as it is meant as one of reals
constexpr size_t most_constants = 48; // each takes six samples of a line
constexpr int used_from = -30, used_to = 100, around_one_from = -3, around_one_to = 7; // exponents: see Density
constexpr int everyday_to = 30; // 2^30 is just above 1e9 (search/everyday.h)

class Positions {
public:
  Positions(const Line& line, numeric::Rng& rng) : line_(line), rng_(rng) {}

  void add(Int128 position) {
    if (position >= 0 && position <= line_.length())
      positions_.push_back(position);
  }

  // A value, if the line has it.
  void add_value(long double value) {
    const Dimension& dimension = line_.space().dimensions[line_.dimension()];
    if (value >= dimension.low && value <= dimension.high)
      add(line_.position(value));
  }

  // One in each of `count` equal stretches, anywhere in it.
  void add_evenly(int count) {
    const Int128 length = line_.length();
    for (int i = 0; i < count; ++i)
      add(Int128((long double)length * ((i + (long double)rng_.uniform()) / count)));
  }

  void add_reals(int count) {
    const Dimension& dimension = line_.space().dimensions[line_.dimension()];
    for (int i = 0; i < count; ++i) {
      const long double share = (i + (long double)rng_.uniform()) / count;
      add_value(dimension.low * (1 - share) + dimension.high * share);
    }
  }

  // `count` in each binade, of both signs.
  void add_binades(int from, int to, int count) {
    for (int exponent = from; exponent < to; ++exponent)
      for (int i = 0; i < count; ++i) {
        const long double value = std::ldexp(1 + (i + (long double)rng_.uniform()) / count, exponent);
        add_value(value);
        add_value(-value);
      }
  }

  std::vector<Int128> sorted() {
    std::sort(positions_.begin(), positions_.end());
    positions_.erase(std::unique(positions_.begin(), positions_.end()), positions_.end());
    return std::move(positions_);
  }

private:
  const Line& line_;
  numeric::Rng& rng_;
  std::vector<Int128> positions_;
};

} // namespace

std::vector<Int128> sample_positions(const Line& line, const Density& density,
                                     const std::vector<long double>& constants, numeric::Rng& rng) {
  Positions positions(line, rng);
  if (line.length() <= few) {
    for (Int128 position = 0; position <= line.length(); ++position)
      positions.add(position);
    return positions.sorted();
  }
  positions.add_evenly(density.floats);
  const Dimension& moving = line.space().dimensions[line.dimension()];
  positions.add_reals(moving.given() ? closer * density.reals : density.reals);
  positions.add_binades(density.beyond_everyday ? everyday_to : used_from, used_to, density.per_binade);
  if (!density.beyond_everyday)
    positions.add_binades(around_one_from, around_one_to, density.around_one);
  for (long double constant : constants)
    for (long double value : {constant, -constant})
      if (const Dimension& dimension = line.space().dimensions[line.dimension()];
          value >= dimension.low && value <= dimension.high)
        for (int beside : {-1, 0, 1})
          positions.add(line.position(value) + beside);
  for (long double value : {0.0L, 1.0L, -1.0L})
    positions.add_value(value);
  positions.add(0);
  positions.add(line.length());
  return positions.sorted();
}

std::vector<long double> telling_constants(const runtime::SiteTable& table) {
  std::vector<long double> constants;
  for (const runtime::Constant& constant : table.constants)
    if (std::isfinite(constant.value) && constant.value != 0)
      constants.push_back(std::fabs(constant.value));
  std::sort(constants.begin(), constants.end());
  constants.erase(std::unique(constants.begin(), constants.end()), constants.end());
  if (constants.size() > most_constants) { // evenly among them
    std::vector<long double> chosen;
    for (size_t i = 0; i < most_constants; ++i)
      chosen.push_back(constants[i * constants.size() / most_constants]);
    return chosen;
  }
  return constants;
}

} // namespace faultline::search
