#include "bound/safety_map.h"

#include "bound/cut.h"

#include <algorithm>
#include <cmath>

namespace faultline::bound {
namespace {

// A box whose ends differ by less than this share of their size, or of the whole range, is small enough to be drawn:
// less than a pixel of a plot, or the third digit of a number, in one dimension; coarser in more.
double finest(size_t inputs) { return inputs == 1 ? 1.0 / 1024 : inputs == 2 ? 1.0 / 128 : 1.0 / 16; }

bool is_small(const Interval& side, double share) {
  return side.high - side.low <= share * side.magnitude() || side.single();
}

std::vector<double> corner(const Box& box, double (*end)(const Interval&)) {
  std::vector<double> point;
  for (const Interval& side : box)
    point.push_back(end(side));
  return point;
}

double volume(const Box& box) {
  double product = 1;
  for (const Interval& side : box)
    if (!side.single())
      product *= side.high - side.low;
  return product;
}

// In order, with those that touch made one.
std::vector<Box> joined(std::vector<Box> boxes, size_t input, numeric::Format format) {
  std::ranges::sort(boxes, {}, [&](const Box& box) { return box[input].low; });
  std::vector<Box> joined;
  for (const Box& box : boxes)
    if (!joined.empty() && box[input].low <= float_above(joined.back()[input].high, format))
      joined.back()[input].high = std::max(joined.back()[input].high, box[input].high);
    else
      joined.push_back(box);
  return joined;
}

} // namespace

SafetyMap::SafetyMap(BranchAndBound& proof, Measure measure, double threshold,
                     std::function<double(const std::vector<double>&)> error_at)
    : proof_(proof), measure_(measure), threshold_(threshold), error_at_(std::move(error_at)) {}

bool SafetyMap::is_safe(const BoundedBox& box) const {
  return std::ranges::all_of(box.outputs,
                             [&](const OutputBound& bound) { return value_of(bound, measure_) <= threshold_; });
}

bool SafetyMap::has_witness(const Box& box) const {
  return std::ranges::any_of(witnesses_, [&](const std::vector<double>& point) {
    for (size_t i = 0; i < box.size(); ++i)
      if (!box[i].has(point[i]))
        return false;
    return true;
  });
}

bool SafetyMap::wants_split(const BoundedBox& bounded) {
  if (is_safe(bounded))
    return false;
  const Box& box = bounded.box;
  const auto free = size_t(std::ranges::count_if(box, [](const Interval& side) { return !side.single(); }));
  bool all = true, any = false;
  for (const auto end :
       {+[](const Interval& side) { return side.low; }, +[](const Interval& side) { return side.high; },
        +[](const Interval& side) { return side.low / 2 + side.high / 2; }}) {
    const std::vector<double> point = corner(box, end);
    const bool counts = error_at_(point) > threshold_;
    all = all && counts;
    if (counts && !any)
      witnesses_.push_back(point);
    any = any || counts;
  }
  return !all && !std::ranges::all_of(box, [&](const Interval& side) { return is_small(side, finest(free)); });
}

void SafetyMap::refine(uint64_t boxes, const std::function<bool()>& keep_going) {
  proof_.refine_where([this](const BoundedBox& box) { return wants_split(box); }, {.boxes = proof_.evaluated() + boxes},
                      keep_going);
}

void SafetyMap::mark_unsafe(const std::vector<long double>& input) {
  witnesses_.emplace_back(input.begin(), input.end());
}

std::vector<Box> SafetyMap::coloured(Colour colour, size_t most) const {
  std::vector<Box> boxes;
  for (const BoundedBox* bounded : proof_.boxes()) {
    const Colour own = is_safe(*bounded) ? Colour::safe : has_witness(bounded->box) ? Colour::unsafe : Colour::open;
    if (own == colour)
      boxes.push_back(bounded->box);
  }
  for (const OpenBox& unproven : proof_.open())
    if ((has_witness(unproven.box) ? Colour::unsafe : Colour::open) == colour)
      boxes.push_back(unproven.box);
  const std::vector<size_t> free = proof_.free_inputs();
  if (free.size() == 1)
    boxes = joined(std::move(boxes), free[0], proof_.format(free[0]));
  if (boxes.size() > most) {
    std::ranges::sort(boxes, [](const Box& a, const Box& b) { return volume(a) > volume(b); });
    boxes.resize(most);
  }
  return boxes;
}

std::vector<Box> SafetyMap::safe(size_t most) const { return coloured(Colour::safe, most); }
std::vector<Box> SafetyMap::unsafe(size_t most) const { return coloured(Colour::unsafe, most); }
std::vector<Box> SafetyMap::open(size_t most) const { return coloured(Colour::open, most); }

} // namespace faultline::bound
