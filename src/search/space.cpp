#include "search/space.h"

#include "base/error.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faultline::search {

using numeric::Int128;

std::vector<constraint::InputRange> input_ranges(const Space& space, const model::Target& target) {
  std::vector<constraint::InputRange> ranges;
  for (size_t i = 0; i < space.dimensions.size(); ++i) {
    const Dimension& dimension = space.dimensions[i];
    ranges.push_back({dimension.name, dimension.floating,
                      dimension.floating ? target.inputs[i].type.format : numeric::Format::binary64, dimension.format,
                      dimension.low, dimension.high});
  }
  return ranges;
}

exec::Input with_zeros(const Space& space, exec::Input input, const std::function<bool(const exec::Input&)>& accepts) {
  const std::vector<size_t> cells = space.free();
  for (size_t length = cells.size(); length > 0; length /= 2)
    for (size_t first = 0; first < cells.size(); first += length) {
      exec::Input candidate = input;
      for (size_t i = first; i < std::min(first + length, cells.size()); ++i)
        candidate[cells[i]] = space.dimensions[cells[i]].nearest(0);
      if (candidate != input && space.allows(candidate) && accepts(candidate))
        input = std::move(candidate);
    }
  return input;
}

namespace {

// Rounds in the format: its value of 1e-9 is everyday, too. Nothing if all values are everyday.
std::optional<Stretch> everyday_values(const Dimension& dimension) {
  if (dimension.everyday || !dimension.floating)
    return dimension.everyday;
  Dimension any = dimension;
  any.least = 0;
  any.low = -std::numeric_limits<Value>::infinity();
  any.high = std::numeric_limits<Value>::infinity();
  const int power = numeric::info(dimension.format).everyday_power;
  const Value most = any.nearest(numeric::power_of_ten(power));
  return Stretch{-most, most, any.nearest(numeric::power_of_ten(-power))};
}

// For a dimension that has everyday values and others.
std::optional<Stretch> everyday_among_others(const Dimension& dimension) {
  const std::optional<Stretch> values = dimension.held() ? std::nullopt : everyday_values(dimension);
  const auto meets = [&](Value low, Value high) {
    return low <= high && dimension.low <= high && dimension.high >= low;
  };
  const bool any = values && (meets(std::max(values->low, values->least), values->high) ||
                              meets(values->low, std::min(values->high, -values->least)));
  return any ? values : std::nullopt;
}

// A legal input near ordinary numbers.
std::optional<exec::Input> find_legal(const Space& space) {
  constexpr int most_draws = 4000; // a guess: a second at most
  numeric::Rng rng = numeric::Rng(1).fork("legal inputs");
  for (int i = 0; i < most_draws; ++i) {
    exec::Input input;
    for (size_t k = 0; k < space.dimensions.size(); ++k) {
      const double draw = rng.uniform(i % 2 == 0 ? 0 : -1, 1);
      const Value size = i == 0 ? 1 : std::pow(Value(10), Value(rng.below(4))) * draw;
      input.push_back(space.dimensions[k].nearest(size));
    }
    if (i % 4 == 3)
      for (size_t k = 0; k < input.size(); ++k)
        input[k] = space.dimensions[k].draw(rng);
    if (std::optional<exec::Input> legal = space.legality->repaired(std::move(input), space.dimensions))
      return legal;
  }
  return std::nullopt;
}

Dimension usual_part(Dimension dimension) {
  const std::optional<Stretch> values = everyday_among_others(dimension);
  if (!values)
    return dimension;
  const Value least = values->least;
  if (dimension.low < least && dimension.high > -least) // otherwise no value is left out
    dimension.least = std::max(dimension.least, least);
  dimension.low = std::max(dimension.low, values->low);
  dimension.high = std::min(dimension.high, values->high);
  // For ends between 0 and the least magnitude: the next everyday value inwards.
  if (dimension.low != 0 && std::fabs(dimension.low) < least)
    dimension.low = dimension.low < 0 ? 0 : least;
  if (dimension.high != 0 && std::fabs(dimension.high) < least)
    dimension.high = dimension.high > 0 ? 0 : -least;
  return dimension;
}

// The same assumptions in a part of a space. If the part has no legal input, it gets one of the whole.
Space part_of(const Space& space, std::vector<Dimension> dimensions) {
  Space part{std::move(dimensions), space.legality, space.anchor};
  if (space.legality)
    if (std::optional<exec::Input> anchor = find_legal(part))
      part.anchor = std::move(*anchor);
  return part;
}

// The index of the nearest of sorted values, the lower in a tie.
size_t index_of_nearest(const std::vector<Value>& values, Value value) {
  const auto above = std::ranges::lower_bound(values, value);
  if (above == values.begin())
    return 0;
  if (above == values.end() || value - above[-1] <= *above - value)
    return size_t(above - values.begin()) - 1;
  return size_t(above - values.begin());
}

} // namespace

bool is_everyday(const Dimension& dimension, Value value) {
  if (dimension.all_everyday)
    return true;
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

bool reaches_beyond_usual(const Space& space) {
  return std::ranges::any_of(space.dimensions, [](const Dimension& dimension) {
    const std::optional<Stretch> values = everyday_among_others(dimension);
    return values && (dimension.low < values->low || dimension.high > values->high);
  });
}

Space everyday_part(const Space& space) {
  std::vector<Dimension> dimensions;
  for (const Dimension& dimension : space.dimensions)
    dimensions.push_back(dimension.all_everyday ? dimension : usual_part(dimension));
  return part_of(space, std::move(dimensions));
}

Space usual_part(const Space& space) {
  std::vector<Dimension> dimensions;
  for (const Dimension& dimension : space.dimensions)
    dimensions.push_back(usual_part(dimension));
  return part_of(space, std::move(dimensions));
}

std::vector<constraint::InputRange> everyday_ranges(std::vector<constraint::InputRange> ranges, const Space& space) {
  for (size_t i = 0; i < ranges.size(); ++i)
    if (const std::optional<Stretch> values = everyday_among_others(space.dimensions[i])) {
      ranges[i].low = std::max(ranges[i].low, values->low);
      ranges[i].high = std::min(ranges[i].high, values->high);
    }
  return ranges;
}

Int128 Dimension::order_of_all(Value value) const {
  if (!floating)
    return Int128(value);
  return numeric::ordered(value, format);
}

Int128 Dimension::left_out() const { return least > 0 && floating ? order_of_all(least) - 1 : 0; }

// 0 and -0 have the numbers 0 and -1, even if values next to them are left out.
Int128 Dimension::order(Value value) const {
  if (!values.empty())
    return index_of_nearest(values, value);
  const Int128 order = order_of_all(value), out = left_out();
  return order > 0 ? std::max<Int128>(order - out, 1) : order < -1 ? std::min<Int128>(order + out, -2) : order;
}

Value Dimension::at(Int128 order) const {
  if (!values.empty())
    return values[size_t(std::clamp<Int128>(order, 0, Int128(values.size()) - 1))];
  if (!floating)
    return (Value)order;
  order += order > 0 ? left_out() : order < -1 ? -left_out() : 0;
  return numeric::from_ordered(order, format);
}

Value Dimension::nearest(Value value) const {
  if (!(value >= low))
    return low;
  if (value > high)
    return high;
  if (value == low) // -0 is below 0 in the order of floats
    return low;
  if (!values.empty())
    return values[index_of_nearest(values, value)];
  if (!floating)
    return std::rint(value) + 0.0L; // never -0
  value = numeric::nearest(value, format);
  if (value != 0 && std::fabs(value) < least)
    value = std::fabs(value) < least / 2 ? 0 : std::copysign(least, value);
  return std::clamp(value, low, high);
}

Value Dimension::reflected(Value value) const {
  const Value mirrored = value < low ? low + (low - value) : value > high ? high - (value - high) : value;
  return nearest(mirrored >= low && mirrored <= high ? mirrored : value);
}

Int128 uniform_between(Int128 low, Int128 high, numeric::Rng& rng) {
  const auto width = numeric::Uint128(high) - numeric::Uint128(low);
  if (width < ~uint64_t(0))
    return low + Int128(rng.below(uint64_t(width) + 1));
  // x87's space is wider than 64 bits: takes 128 random bits and redraws the rare excess.
  numeric::Uint128 mask = 1;
  while (mask <= width)
    mask = mask * 2 + 1;
  for (;;) {
    numeric::Uint128 draw = ((numeric::Uint128(rng.next()) << 64) | rng.next()) & mask;
    if (draw <= width)
      return low + Int128(draw);
  }
}

Value Dimension::draw(numeric::Rng& rng) const {
  return held() ? low : at(uniform_between(order(low), order(high), rng));
}

std::vector<size_t> Space::free() const {
  std::vector<size_t> found;
  for (size_t i = 0; i < dimensions.size(); ++i)
    if (!dimensions[i].held())
      found.push_back(i);
  return found;
}

std::vector<size_t> Space::free_floats() const {
  std::vector<size_t> found = free();
  std::erase_if(found, [&](size_t i) { return !dimensions[i].floating; });
  return found;
}

void Space::assume(std::shared_ptr<const Legality> assumptions) {
  assumptions->narrow(dimensions);
  legality = std::move(assumptions);
  std::optional<exec::Input> found = find_legal(*this);
  if (!found)
    throw base::UserError(base::status_usage, "--assume: found no input that satisfies all conditions",
                          "check the conditions, --range and --hold");
  anchor = std::move(*found);
}

exec::Input Space::legal(exec::Input input) const {
  return allows(input) ? input : legality->repaired(input, anchor, dimensions);
}

exec::Input Space::sample_floats(numeric::Rng& rng) const {
  exec::Input input;
  input.reserve(dimensions.size());
  for (const Dimension& dimension : dimensions)
    input.push_back(dimension.draw(rng));
  return legal(std::move(input));
}

exec::Input Space::sample_alike(numeric::Rng& rng) const {
  constexpr int binades = 3;  // around the common magnitude: a guess
  constexpr int closest = 50; // bits that nearly equal inputs share, of the 53 of a double: the rest may differ
  exec::Input input = sample_floats(rng);
  if (input.empty())
    return input;
  const Value scale = input[rng.below(input.size())];
  const int close = rng.coin() ? int(rng.below(closest)) : -1;
  for (size_t i = 0; i < input.size(); ++i) {
    const Dimension& dimension = dimensions[i];
    if (!dimension.floating || dimension.held())
      continue;
    const auto draw = (Value)rng.uniform();
    const Value factor =
        close >= 0 ? 1 + std::ldexp(draw, -close) : std::ldexp(1 + draw, int(rng.below(2 * binades + 1)) - binades);
    input[i] = dimension.nearest(close >= 0 || rng.coin() ? scale * factor : -scale * factor);
  }
  return legal(std::move(input));
}

exec::Input Space::sample_reals(numeric::Rng& rng) const {
  exec::Input input;
  input.reserve(dimensions.size());
  for (const Dimension& dimension : dimensions) {
    const Value share = rng.uniform();
    input.push_back(dimension.nearest(dimension.low * (1 - share) + dimension.high * share));
  }
  return legal(std::move(input));
}

exec::Input Space::with_own_values(exec::Input input) const {
  for (size_t i = 0; i < input.size() && i < dimensions.size(); ++i)
    if (!dimensions[i].values.empty() || dimensions[i].everyday)
      input[i] = dimensions[i].nearest(input[i]);
  return legal(std::move(input));
}

} // namespace faultline::search
