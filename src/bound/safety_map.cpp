#include "bound/safety_map.h"

#include "bound/cut.h"
#include "numeric/ulp.h"

#include <algorithm>
#include <cmath>

namespace faultline::bound {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

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

bool has(const Box& box, const std::vector<double>& point) {
  for (size_t i = 0; i < box.size(); ++i)
    if (!box[i].has(point[i]))
      return false;
  return true;
}

// As a share of the whole: halves are taken first, as widths may overflow.
double share_of(const Box& box, const Box& whole) {
  double product = 1;
  for (size_t i = 0; i < box.size(); ++i)
    if (!whole[i].single())
      product *= (box[i].high / 2 - box[i].low / 2) / (whole[i].high / 2 - whole[i].low / 2);
  return product;
}

// The same as a picture shows it: by magnitude where a range spans decades, down to a thousandth of the last digit.
double shown_share(const Box& box, const Box& whole) {
  constexpr double spans_decades = 64, least_share = 1e-19;
  double product = 1;
  for (size_t i = 0; i < box.size(); ++i) {
    const Interval& range = whole[i];
    if (range.single())
      continue;
    const double least = std::max(range.mignitude(), range.magnitude() * least_share);
    const auto place = [&](double x) {
      return std::fabs(x) <= least ? 0.0 : std::copysign(std::log(std::fabs(x) / least), x);
    };
    product *= range.magnitude() > spans_decades * range.mignitude()
                   ? (place(box[i].high) - place(box[i].low)) / (place(range.high) - place(range.low))
                   : (box[i].high - box[i].low) / (range.high - range.low);
  }
  return product;
}

} // namespace

double WhatCounts::counted(const OutputBound& bound, size_t output) const {
  if (!formats.empty() && (bound.ulps <= 1 || bound.absolute < double(numeric::smallest_normal(formats[output]))))
    return 0;
  return value_of(bound, measure);
}

double WhatCounts::counted(const BoundedBox& box) const {
  double most = 0;
  for (size_t output = 0; output < box.outputs.size(); ++output)
    most = std::max(most, counted(box.outputs[output], output));
  return most;
}

SafetyMap::SafetyMap(BranchAndBound& proof, WhatCounts counts,
                     std::function<double(const std::vector<double>&)> error_at)
    : proof_(proof), counts_(std::move(counts)), error_at_(std::move(error_at)) {}

const SafetyMap::Look& SafetyMap::look_at(uint32_t node, const Box& box) {
  const auto [place, is_new] = looks_.emplace(node, Look{});
  if (!is_new)
    return place->second;
  Look& look = place->second;
  look.all = true;
  for (const auto end :
       {+[](const Interval& side) { return side.low; }, +[](const Interval& side) { return side.high; },
        +[](const Interval& side) { return side.low / 2 + side.high / 2; }}) {
    std::vector<double> point = corner(box, end);
    for (size_t i = 0; i < point.size(); ++i)
      point[i] = std::clamp(rounded_to(point[i], proof_.format(i)), box[i].low, box[i].high);
    const double error = error_at_(point);
    const bool counts = error > counts_.threshold;
    look.all = look.all && counts;
    if (counts && error > look.worst.error)
      look.worst = {std::move(point), error};
  }
  return look;
}

SafetyMap::Witness SafetyMap::witness_in(uint32_t node, const Box& box, bool may_look) {
  Witness worst = may_look || looks_.contains(node) ? look_at(node, box).worst : Witness{};
  for (const Witness& marked : marked_)
    if (marked.error > worst.error && has(box, marked.input))
      worst = marked;
  return worst;
}

bool SafetyMap::wants_split(const BoundedBox& bounded) {
  if (counts_.counted(bounded) <= counts_.threshold)
    return false;
  const Box& box = bounded.box;
  const auto free = size_t(std::ranges::count_if(box, [](const Interval& side) { return !side.single(); }));
  return !look_at(bounded.node, box).all &&
         !std::ranges::all_of(box, [&](const Interval& side) { return is_small(side, finest(free)); });
}

void SafetyMap::refine(uint64_t boxes, const std::function<bool()>& keep_going) {
  // Where there is no bound at all, a map need not be finer: some cuts more than come before borders are looked at.
  const int free = int(std::max<size_t>(proof_.free_inputs().size(), 1));
  BranchLimits limits{.boxes = proof_.evaluated() + boxes, .most_unbounded = 1'024};
  limits.most_splits = (limits.splits_before_borders + 4) * free;
  proof_.refine_where([this](const BoundedBox& box) { return wants_split(box); }, limits, keep_going);
}

void SafetyMap::mark_unsafe(const std::vector<long double>& input, double error) {
  marked_.push_back({{input.begin(), input.end()}, error});
}

// In order, with those that touch made one, where there is one input.
std::vector<MappedBox> SafetyMap::joined(std::vector<MappedBox> boxes) const {
  const std::vector<size_t> free = proof_.free_inputs();
  if (free.size() != 1)
    return boxes;
  const size_t input = free[0];
  std::ranges::sort(boxes, {}, [&](const MappedBox& box) { return box.box[input].low; });
  std::vector<MappedBox> joined;
  for (MappedBox& box : boxes)
    if (!joined.empty() && box.box[input].low <= float_above(joined.back().box[input].high, proof_.format(input))) {
      MappedBox& before = joined.back();
      before.box[input].high = std::max(before.box[input].high, box.box[input].high);
      before.bound = std::max(before.bound, box.bound);
      if (box.error > before.error) {
        before.error = box.error;
        before.witness = std::move(box.witness);
      }
    } else {
      joined.push_back(std::move(box));
    }
  return joined;
}

// Boxes that are not safe, each with its witness if it has one, the largest first.
std::vector<MappedBox> SafetyMap::doubtful(size_t most_looks, const Box& whole) {
  std::vector<std::pair<MappedBox, uint32_t>> boxes; // with their nodes
  for (const BoundedBox* bounded : proof_.boxes())
    if (const double bound = counts_.counted(*bounded); bound > counts_.threshold)
      boxes.push_back({{bounded->box, bound, {}, 0}, bounded->node});
  for (const OpenBox& unproven : proof_.open())
    boxes.push_back({{unproven.box, infinity, {}, 0}, unproven.node});
  std::ranges::sort(boxes, std::ranges::greater{}, [&](const auto& box) { return shown_share(box.first.box, whole); });
  std::vector<MappedBox> found;
  for (auto& [box, node] : boxes) {
    Witness witness = witness_in(node, box.box, most_looks > 0);
    most_looks -= most_looks > 0;
    box.witness = std::move(witness.input);
    box.error = witness.error;
    found.push_back(std::move(box));
  }
  return found;
}

DrawnMap SafetyMap::drawn(size_t most, const Confirmed& confirmed) {
  DrawnMap map;
  Box whole;
  for (const InputDimension& input : proof_.inputs())
    whole.push_back(input.range);
  for (const BoundedBox* bounded : proof_.boxes())
    if (const double bound = counts_.counted(*bounded); bound <= counts_.threshold)
      map.safe.push_back({bounded->box, bound, {}, 0});
  std::vector<MappedBox> unsafe;
  for (MappedBox& box : doubtful(2 * most, whole)) // of more, the small ones are not run, and open
    (box.error > 0 ? unsafe : map.open).push_back(std::move(box));
  for (MappedBox& box : joined(std::move(unsafe))) {
    const std::optional<double> error = map.unsafe.size() < most ? confirmed(box.witness) : std::nullopt;
    if (error && *error > counts_.threshold)
      map.unsafe.push_back({std::move(box.box), box.bound, std::move(box.witness), *error});
    else
      map.open.push_back({std::move(box.box), box.bound, {}, 0});
  }
  size_t colour = 0;
  for (std::vector<MappedBox>* boxes : {&map.safe, &map.unsafe, &map.open}) {
    for (const MappedBox& box : *boxes)
      map.shares[colour] += share_of(box.box, whole);
    ++colour;
    *boxes = joined(std::move(*boxes));
    if (boxes->size() <= most)
      continue;
    std::ranges::sort(*boxes, std::ranges::greater{},
                      [&](const MappedBox& box) { return shown_share(box.box, whole); });
    boxes->resize(most);
  }
  return map;
}

} // namespace faultline::bound
