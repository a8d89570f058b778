#include "search/line.h"

#include "search/scorer.h"

#include <algorithm>
#include <cmath>

namespace faultline::search {

using numeric::Int128;

constexpr uint64_t default_samples = 100'000; // as `faultline bench gsl` gives each strategy it compares
constexpr size_t kept_samples = 24;           // candidates for the oracle: a guess

std::vector<Candidate> sample_at_random(Quest& quest, uint64_t samples, double share, const char* strategy) {
  Scorer scorer(quest, strategy);
  for (uint64_t i = 0; i < samples && !quest.evaluator.spent(share); ++i) {
    const uint64_t kind = i % (quest.space.dimensions.size() > 1 ? 3 : 2);
    const exec::Input input = kind == 0   ? quest.space.sample_floats(quest.rng)
                              : kind == 1 ? quest.space.sample_reals(quest.rng)
                                          : quest.space.sample_alike(quest.rng);
    if (quest.errors_wanted)
      scorer.keep(input, 0, scorer.score(input).error.relative);
    else
      quest.evaluator.run(input);
  }
  return scorer.best(kept_samples, kept_samples);
}

std::vector<Candidate> search_random(Quest& quest) {
  return sample_at_random(quest, quest.use_all ? ~uint64_t(0) : default_samples, 1, "random");
}

namespace {

// Guesses.
constexpr Int128 few = 256;                // positions: a line with so few is sampled completely; mostly integers
constexpr int closer = 6;                  // factor on the reals of a given range, which is meant as a range of reals
constexpr size_t most_line_constants = 48; // each needs six samples of a line
constexpr int used_from = -30, used_to = 100, around_one_from = -3, around_one_to = 7; // exponents: see Density
constexpr int everyday_to = 30; // 2^30 is just above 1e9 (search/space.h)

class Positions {
public:
  Positions(const Line& line, numeric::Rng& rng) : line_(line), rng_(rng) {}

  void add(Int128 position) {
    if (position >= 0 && position <= line_.length())
      positions_.push_back(position);
  }

  // Adds a value if it is on the line.
  void add_value(Value value) {
    const Dimension& dimension = line_.space().dimensions[line_.dimension()];
    if (value >= dimension.low && value <= dimension.high)
      add(line_.position(value));
  }

  // Adds one position in each of `count` equal stretches.
  void add_evenly(int count) {
    const Int128 length = line_.length();
    for (int i = 0; i < count; ++i)
      add(Int128((Value)length * ((i + (Value)rng_.uniform()) / count)));
  }

  void add_reals(int count) {
    const Dimension& dimension = line_.space().dimensions[line_.dimension()];
    for (int i = 0; i < count; ++i) {
      const Value share = (i + (Value)rng_.uniform()) / count;
      add_value(dimension.low * (1 - share) + dimension.high * share);
    }
  }

  // Adds `count` positions in each binade of either sign.
  void add_binades(int from, int to, int count) {
    for (int exponent = from; exponent < to; ++exponent)
      for (int i = 0; i < count; ++i) {
        const Value value = std::ldexp(1 + (i + (Value)rng_.uniform()) / count, exponent);
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

std::vector<Int128> sample_positions(const Line& line, const Density& density, const std::vector<Value>& constants,
                                     numeric::Rng& rng) {
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
  for (Value constant : constants)
    for (Value value : {constant, -constant})
      if (const Dimension& dimension = line.space().dimensions[line.dimension()];
          value >= dimension.low && value <= dimension.high)
        for (int offset : {-1, 0, 1})
          positions.add(line.position(value) + offset);
  for (Value value : {0.0L, 1.0L, -1.0L})
    positions.add_value(value);
  positions.add(0);
  positions.add(line.length());
  return positions.sorted();
}

std::vector<Value> magnitudes_of_constants(const runtime::SiteTable& table) {
  std::vector<Value> constants;
  for (const runtime::Constant& constant : table.constants)
    if (std::isfinite(constant.value) && constant.value != 0)
      constants.push_back(std::fabs(constant.value));
  std::sort(constants.begin(), constants.end());
  constants.erase(std::unique(constants.begin(), constants.end()), constants.end());
  return constants;
}

std::vector<Value> telling_constants(const runtime::SiteTable& table) {
  const std::vector<Value> constants = magnitudes_of_constants(table);
  if (constants.size() > most_line_constants) { // evenly among them
    std::vector<Value> chosen;
    for (size_t i = 0; i < most_line_constants; ++i)
      chosen.push_back(constants[i * constants.size() / most_line_constants]);
    return chosen;
  }
  return constants;
}

Line Line::along(const Space& space, const exec::Input& base, size_t dimension) {
  exec::Input from = base, to = base;
  from[dimension] = space.dimensions[dimension].low;
  to[dimension] = space.dimensions[dimension].high;
  return between(space, from, to);
}

Line Line::between(const Space& space, const exec::Input& from, const exec::Input& to) {
  Line line(space, from, 0);
  for (size_t i = 0; i < from.size(); ++i) {
    const Int128 start = space.dimensions[i].order(from[i]);
    const Int128 change = space.dimensions[i].order(to[i]) - start;
    if (change == 0)
      continue;
    line.moving_.push_back({i, start, change});
    if (const Int128 size = change < 0 ? -change : change; size > line.length_) {
      line.length_ = size;
      line.dimension_ = i;
    }
  }
  return line;
}

void Line::at(Int128 position, exec::Input& input) const {
  position = std::clamp<Int128>(position, 0, length_);
  input = base_;
  for (const MovingInput& moving : moving_) {
    Int128 moved = 0;
    if (moving.change == length_ || moving.change == -length_)
      moved = moving.change < 0 ? -position : position;
    else
      // x87's order numbers have more bits than a long double: rounding must not leave the ends.
      moved = std::clamp(Int128((Value)moving.change * ((Value)position / (Value)length_)),
                         std::min<Int128>(moving.change, 0), std::max<Int128>(moving.change, 0));
    input[moving.dimension] = space_->dimensions[moving.dimension].at(moving.from + moved);
  }
}

exec::Input Line::at(Int128 position) const {
  exec::Input input;
  at(position, input);
  return input;
}

Int128 Line::position(Value value) const {
  if (moving_.empty())
    return 0;
  const Dimension& dimension = space_->dimensions[dimension_];
  for (const MovingInput& moving : moving_)
    if (moving.dimension == dimension_) {
      const Int128 moved = dimension.order(dimension.nearest(value)) - moving.from;
      return std::clamp<Int128>(moving.change < 0 ? -moved : moved, 0, length_);
    }
  return 0;
}

} // namespace faultline::search
