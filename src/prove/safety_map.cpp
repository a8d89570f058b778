#include "prove/safety_map.h"

#include "numeric/bigfloat.h"
#include "prove/cut.h"

#include <algorithm>
#include <cmath>

namespace faultline::prove {

namespace {

constexpr uint64_t most_boxes = 1'000; // per attempt: about 5 ms
constexpr double spans_decades = 64;   // as in bound/cut.cpp
constexpr int most_halvings = 64;      // until sides of doubles shrink to the point
// After that, bisections of all sides (to 1/256) and of each side (to a millionth).
constexpr int bisections = 8, bisections_of_a_side = 20;

class Growth {
public:
  Growth(const std::vector<InputDimension>& inputs, const std::vector<std::optional<double>>& point, size_t outputs,
         double floor, const PathOf& path_of, const ErrorThreshold& counts, const std::function<bool()>& keep_going)
      : inputs_(inputs), point_(point), outputs_(outputs), floor_(floor), path_of_(path_of), counts_(counts),
        keep_going_(keep_going), reaches_(2 * inputs.size(), 0.0) {}

  std::optional<SafeBox> run() {
    if (!grow_together())
      return std::nullopt;
    for (size_t side = 0; side < reaches_.size(); ++side)
      if (point_[side / 2] && !inputs_[side / 2].range.single())
        grow(side);
    return best_;
  }

private:
  double end_of(size_t side, double reach) const {
    const InputDimension& input = inputs_[side / 2];
    const double from = *point_[side / 2], end = side % 2 == 0 ? input.range.low : input.range.high;
    const bool by_size = (input.range.low > 0 || input.range.high < 0) &&
                         input.range.magnitude() > spans_decades * input.range.mignitude();
    const double at = reach == 1 ? end
                      : by_size  ? from * std::pow(end / from, reach)
                                 : from + reach * (end / 2 - from / 2) * 2;
    return std::clamp(rounded_to(at, input.format), std::min(from, end), std::max(from, end));
  }

  Box box_of(const std::vector<double>& reaches) const {
    Box box;
    for (size_t i = 0; i < inputs_.size(); ++i)
      box.push_back(point_[i] ? Interval{end_of(2 * i, reaches[2 * i]), end_of(2 * i + 1, reaches[2 * i + 1])}
                              : inputs_[i].range);
    return box;
  }

  bool is_safe(const std::vector<double>& reaches) {
    std::vector<InputDimension> inputs = inputs_;
    Box box = box_of(reaches);
    for (size_t i = 0; i < inputs.size(); ++i)
      inputs[i].range = box[i];
    BranchAndBound proof(std::move(inputs), outputs_, floor_, path_of_);
    proof.refine_where([&](const BoundedBox& part) { return counts_.counted(part) > counts_.threshold; },
                       {.boxes = most_boxes}, keep_going_);
    double most = 0;
    for (const BoundedBox* part : proof.boxes())
      most = std::max(most, counts_.counted(*part));
    if (!proof.complete() || !(most <= counts_.threshold))
      return false;
    best_ = {std::move(box), most};
    reaches_ = reaches;
    return true;
  }

  std::vector<double> all_at(double reach) const { return std::vector<double>(reaches_.size(), reach); }

  // Halves the box until it is safe, in growing steps of the exponent, then bisects.
  bool grow_together() {
    if (is_safe(all_at(1)))
      return true;
    int unsafe = 0, safe = 1;
    while (safe <= most_halvings && !is_safe(all_at(std::ldexp(1.0, -safe)))) {
      unsafe = safe;
      safe *= 2;
    }
    if (safe > most_halvings)
      return is_safe(all_at(0));
    while (safe - unsafe > 1) {
      const int middle = (safe + unsafe) / 2;
      (is_safe(all_at(std::ldexp(1.0, -middle))) ? safe : unsafe) = middle;
    }
    double low = std::ldexp(1.0, -safe), high = std::ldexp(1.0, -unsafe);
    for (int i = 0; i < bisections && keep_going_(); ++i) {
      const double middle = low / 2 + high / 2;
      (is_safe(all_at(middle)) ? low : high) = middle;
    }
    return true;
  }

  void grow(size_t side) {
    std::vector<double> tried = reaches_;
    double low = tried[side], high = 1;
    tried[side] = 1;
    if (low == 1 || is_safe(tried))
      return;
    for (int i = 0; i < bisections_of_a_side && keep_going_(); ++i) {
      tried[side] = low / 2 + high / 2;
      (is_safe(tried) ? low : high) = tried[side];
    }
  }

  const std::vector<InputDimension>& inputs_;
  const std::vector<std::optional<double>>& point_;
  size_t outputs_;
  double floor_;
  const PathOf& path_of_;
  const ErrorThreshold& counts_;
  const std::function<bool()>& keep_going_;
  std::vector<double> reaches_; // the lower and the upper side of each input
  SafeBox best_;
};

constexpr double unbounded = std::numeric_limits<double>::infinity();

// A box is small enough to be drawn if its ends differ by less than this fraction of their size, or of the whole range:
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

// The fraction of the whole. Works on halves, as widths may overflow.
double share_of(const Box& box, const Box& whole) {
  double product = 1;
  for (size_t i = 0; i < box.size(); ++i)
    if (!whole[i].single())
      product *= (box[i].high / 2 - box[i].low / 2) / (whole[i].high / 2 - whole[i].low / 2);
  return product;
}

// The fraction in a picture: logarithmic where a range spans decades, down to a thousandth of the last digit.
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

std::optional<SafeBox> safe_around(const std::vector<InputDimension>& inputs,
                                   const std::vector<std::optional<double>>& point, size_t outputs, double floor,
                                   const PathOf& path_of, const ErrorThreshold& counts,
                                   const std::function<bool()>& keep_going) {
  return Growth(inputs, point, outputs, floor, path_of, counts, keep_going).run();
}

double ErrorThreshold::counted(const OutputBound& bound, size_t output) const {
  if (!formats.empty() && (bound.ulps <= 1 || bound.absolute < double(numeric::smallest_normal(formats[output]))))
    return 0;
  return value_of(bound, measure);
}

double ErrorThreshold::counted(const BoundedBox& box) const {
  double most = 0;
  for (size_t output = 0; output < box.outputs.size(); ++output)
    most = std::max(most, counted(box.outputs[output], output));
  return most;
}

SafetyMap::SafetyMap(BranchAndBound& proof, ErrorThreshold counts,
                     std::function<double(const std::vector<double>&)> error_at)
    : proof_(proof), counts_(std::move(counts)), error_at_(std::move(error_at)) {}

const SafetyMap::BoxProbe& SafetyMap::look_at(uint32_t node, const Box& box) {
  const auto [place, is_new] = looks_.emplace(node, BoxProbe{});
  if (!is_new)
    return place->second;
  BoxProbe& look = place->second;
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
  // Where there is no bound, the map need not be finer: a few cuts more than are needed before borders are examined.
  const int free = int(std::max<size_t>(proof_.free_inputs().size(), 1));
  BranchLimits limits{.boxes = proof_.evaluated() + boxes, .most_unbounded = 1'024};
  limits.most_splits = (limits.splits_before_borders + 4) * free;
  proof_.refine_where([this](const BoundedBox& box) { return wants_split(box); }, limits, keep_going);
}

void SafetyMap::mark_unsafe(const std::vector<numeric::Value>& input, double error) {
  marked_.push_back({{input.begin(), input.end()}, error});
}

// Sorts the boxes; with one input, also joins adjacent ones.
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

// Unsafe boxes, largest first, each with its witness if it has one.
std::vector<MappedBox> SafetyMap::doubtful(size_t most_looks, const Box& whole) {
  std::vector<std::pair<MappedBox, uint32_t>> boxes; // with their nodes
  for (const BoundedBox* bounded : proof_.boxes())
    if (const double bound = counts_.counted(*bounded); bound > counts_.threshold)
      boxes.push_back({{bounded->box, bound, {}, 0}, bounded->node});
  for (const OpenBox& unproven : proof_.open())
    boxes.push_back({{unproven.box, unbounded, {}, 0}, unproven.node});
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

DrawnMap SafetyMap::drawn(size_t most, const Confirm& confirmed) {
  DrawnMap map;
  Box whole;
  for (const InputDimension& input : proof_.inputs())
    whole.push_back(input.range);
  for (const BoundedBox* bounded : proof_.boxes())
    if (const double bound = counts_.counted(*bounded); bound <= counts_.threshold)
      map.safe.push_back({bounded->box, bound, {}, 0});
  std::vector<MappedBox> unsafe;
  for (MappedBox& box : doubtful(2 * most, whole)) // the small ones beyond that are not run and stay open
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

} // namespace faultline::prove
