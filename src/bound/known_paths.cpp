#include "bound/known_paths.h"

#include "bound/cut.h"

#include <algorithm>

namespace faultline::bound {
std::vector<std::vector<double>> corners_of(const Box& box) {
  std::vector<size_t> free;
  std::vector<double> lowest, highest;
  for (size_t i = 0; i < box.size(); ++i) {
    lowest.push_back(box[i].low);
    highest.push_back(box[i].high);
    if (!box[i].single())
      free.push_back(i);
  }
  std::vector<std::vector<double>> corners;
  constexpr size_t most_corners = 5; // inputs, of which all corners are looked at: 2^5 runs
  if (free.size() <= most_corners) {
    for (uint32_t which = 0; which < 1u << free.size(); ++which) {
      corners.push_back(lowest);
      for (size_t k = 0; k < free.size(); ++k)
        if (which >> k & 1)
          corners.back()[free[k]] = highest[free[k]];
    }
    return corners;
  }
  corners = {lowest, highest};
  for (const size_t input : free) {
    corners.push_back(lowest);
    corners.back()[input] = highest[input];
  }
  return corners;
}

KnownPaths::KnownPaths(std::vector<InputDimension> inputs, double floor, PathOf path_of)
    : inputs_(std::move(inputs)), floor_(floor), path_of_(std::move(path_of)) {
  for (const InputDimension& input : inputs_)
    errors_.push_back(input.error);
}

KnownPaths::~KnownPaths() = default;

std::vector<double> middle_of(const Box& box, const std::vector<InputDimension>& inputs) {
  std::vector<double> middle;
  for (size_t i = 0; i < box.size(); ++i)
    middle.push_back(can_be_cut(box[i], inputs[i].grid()) ? cut_of(box[i], inputs[i].grid()) : box[i].low);
  return middle;
}

size_t KnownPaths::place_of(const StraightCode& code) {
  const auto [place, is_new] = places_.emplace(&code, codes_.size());
  if (is_new)
    codes_.push_back({&code, std::make_unique<BoxBound>(code, errors_, floor_)});
  return place->second;
}

bool KnownPaths::has_settled_integers(const Box& box) const {
  for (size_t i = 0; i < box.size(); ++i)
    if (inputs_[i].whole && !box[i].single())
      return false;
  return true;
}

// Code is that of the integers of the run that it was read from.
bool KnownPaths::has_integers_of(const StraightCode& code, const Box& box) const {
  for (size_t i = 0, k = 0; i < box.size(); ++i)
    if (inputs_[i].whole && box[i] != Interval::of(code.integers[k++]))
      return false;
  return true;
}

KnownPaths::Evaluation KnownPaths::try_code(const StraightCode& code, const Box& box) {
  last_ = place_of(code);
  ++evaluated_;
  const Verdict verdict = codes_[last_].bound->evaluate(box);
  switch (verdict) {
  case Verdict::undecided:
    return {verdict, "rounding may turn a comparison"};
  case Verdict::undefined:
    return {verdict, "an operation may have no result, or one beyond the range of its format"};
  case Verdict::bounded:
  case Verdict::elsewhere:
    break;
  }
  return {verdict, ""};
}

KnownPaths::Evaluation KnownPaths::evaluate(const Box& box) {
  if (!has_settled_integers(box))
    return {Verdict::undecided, "there was no time for each value of the integers"};
  const bool again = !codes_.empty() && has_integers_of(*codes_[last_].code, box);
  if (again) {
    const Evaluation evaluation = try_code(*codes_[last_].code, box);
    if (evaluation.verdict == Verdict::bounded || evaluation.verdict == Verdict::undefined)
      return evaluation;
  }
  const StraightCode* before = again ? codes_[last_].code : nullptr;
  const PathAt path = path_of_(middle_of(box, inputs_));
  if (!path.code)
    return {Verdict::undefined, path.obstacle, path.everywhere};
  if (path.code == before)
    return {Verdict::undecided, "rounding may turn a comparison"};
  Evaluation evaluation = try_code(*path.code, box);
  if (evaluation.verdict == Verdict::elsewhere) // its own middle is there: only rounding may say otherwise
    evaluation = {Verdict::undecided, "rounding may turn a comparison"};
  return evaluation;
}

// As far as the ranges go.
Box KnownPaths::around(const Box& box, double widths) const {
  Box wide = box;
  for (size_t i = 0; i < box.size(); ++i) {
    const Interval& range = inputs_[i].range;
    if (inputs_[i].whole)
      continue;
    const double unit = float_above(box[i].magnitude(), inputs_[i].format) - box[i].magnitude();
    const double reach = widths * std::max(box[i].high - box[i].low, unit);
    wide[i] = {rounded_to(std::clamp(box[i].low - reach, range.low, range.high), inputs_[i].format),
               rounded_to(std::clamp(box[i].high + reach, range.low, range.high), inputs_[i].format)};
  }
  return wide;
}

std::optional<BorderBound> KnownPaths::at_border(const Box& box, const std::vector<std::vector<double>>& points) {
  constexpr size_t few = 8; // of a few paths none need be near: all are tried
  std::vector<size_t> places;
  for (size_t place = 0; place < codes_.size(); ++place)
    if ((place == last_ || codes_.size() <= few) && has_integers_of(*codes_[place].code, box))
      places.push_back(place);
  for (const std::vector<double>& point : points)
    if (const PathAt path = path_of_(point); path.code)
      if (const size_t place = place_of(*path.code); std::ranges::find(places, place) == places.end())
        places.push_back(place);
  std::vector<BoxBound*> paths;
  for (const size_t place : places)
    paths.push_back(codes_[place].bound.get());
  evaluated_ += paths.size();
  return border_bound(paths, box, floor_);
}

// The paths of a box are those of its corners, as a rule, and if it is a point those of its neighbours.
std::optional<BorderBound> KnownPaths::at_border(const Box& box) {
  if (!has_settled_integers(box))
    return std::nullopt;
  std::vector<std::vector<double>> points = {middle_of(box, inputs_)};
  for (const double widths : {0.0, 1.0, 8.0, 64.0}) { // guesses: a border is some roundings wide
    std::ranges::copy(corners_of(around(box, widths)), std::back_inserter(points));
    if (std::optional<BorderBound> border = at_border(box, points))
      return border;
  }
  return std::nullopt;
}

} // namespace faultline::bound
