#include "solve/newton/starts.h"

#include <algorithm>
#include <cmath>

namespace faultline::solve {

using constraint::Bits;
using constraint::Form;
using constraint::Model;
using constraint::Node;
using numeric::Int128;

namespace {

double end(const Range& range, Int128 number) { return numeric::double_of(range.format.at(number), range.format); }

// Ends that are infinite become the largest floats.
double low(const Range& range) {
  return end(range, std::max(range.low, range.format.order(range.format.largest() | range.format.sign())));
}
double high(const Range& range) { return end(range, std::min(range.high, Int128(range.format.largest()))); }

} // namespace

Starts::Starts(const constraint::System& system, const Box& box, std::vector<Model> near, numeric::Rng rng)
    : box_(box), near_(std::move(near)), rng_(rng) {
  for (const Node& node : system.nodes())
    if (node.form == Form::constant && !node.sort.boolean)
      constants_.push_back(numeric::double_of(node.value, node.sort.format));
  std::erase_if(constants_, [](double value) { return std::isnan(value); });
  std::sort(constants_.begin(), constants_.end());
  constants_.erase(std::unique(constants_.begin(), constants_.end()), constants_.end());
}

Model Starts::everywhere(double value) const {
  Model result;
  for (const Range& range : box_)
    result.push_back(range.boolean ? Bits(value > 0) : range.nearest(value));
  return result;
}

Model Starts::next() {
  const size_t place = count_++;
  if (place < near_.size())
    return near_[place];
  Model result = everywhere(0);
  switch (place - near_.size()) {
  case 0:
    return result;
  case 1:
    return everywhere(1);
  case 2:
    return everywhere(-1);
  case 3: // the middle
    for (size_t i = 0; i < box_.size(); ++i)
      if (!box_[i].boolean)
        result[i] = box_[i].nearest(low(box_[i]) / 2 + high(box_[i]) / 2);
    return result;
  case 4:
  case 5: // the ends
    for (size_t i = 0; i < box_.size(); ++i)
      if (!box_[i].boolean)
        result[i] = box_[i].nearest(place - near_.size() == 4 ? low(box_[i]) : high(box_[i]));
    return result;
  default:
    break;
  }
  // All variables in one way, or each in its own.
  const bool uniformly = rng_.below(3) == 0;
  for (size_t i = 0; i < box_.size(); ++i)
    result[i] = uniformly && !box_[i].boolean ? uniform(box_[i]) : drawn(i);
  if (rng_.coin() && result.size() > 1) {
    const size_t i = rng_.below(result.size()), k = rng_.below(result.size());
    if (box_[i].format == box_[k].format && !box_[i].boolean && !box_[k].boolean && !box_[k].format.is_nan(result[k]))
      result[i] = box_[i].nearest(box_[k].format.order(result[k]));
  }
  return result;
}

Bits Starts::drawn(size_t variable) {
  const Range& range = box_[variable];
  if (range.boolean)
    return Bits(rng_.coin());
  if (range.low > range.high)
    return range.format.nan();
  switch (rng_.below(8)) {
  case 0:
  case 1:
  case 2:
    return uniform(range);
  case 3:
  case 4:
    return by_exponent(range);
  case 5:
    if (!constants_.empty()) {
      const double constant = constants_[rng_.below(constants_.size())];
      return range.nearest(rng_.coin() ? constant : -constant);
    }
    return uniform(range);
  case 6:
    return range.nearest(double(rng_.below(21)) - 10);
  default: {
    const double special[] = {0.0, -0.0, HUGE_VAL, -HUGE_VAL, NAN};
    return range.nearest(special[rng_.below(5)]);
  }
  }
}

// Real-valued in a bounded range; of one without bounds, where that would always be huge, of moderate size.
Bits Starts::uniform(const Range& range) {
  if (range.bounded())
    return range.nearest(rng_.uniform(low(range), high(range)));
  const double size = std::ldexp(1, int(rng_.below(24)));
  return range.nearest(rng_.uniform(-size, size));
}

Bits Starts::by_exponent(const Range& range) {
  const numeric::Uint128 width = numeric::Uint128(range.high) - numeric::Uint128(range.low) + 1;
  const numeric::Uint128 random = numeric::Uint128(rng_.next()) << 64 | rng_.next();
  return range.format.at(Int128(numeric::Uint128(range.low) + (width == 0 ? random : random % width)));
}

} // namespace faultline::solve
