#include "bound/safe_around.h"

#include "bound/cut.h"

#include <algorithm>
#include <cmath>

namespace faultline::bound {
namespace {

constexpr uint64_t most_boxes = 1'000; // of one attempt: some 5 ms
constexpr double spans_decades = 64;   // as in bound/cut.cpp
constexpr int most_halvings = 64;      // until sides of doubles are at the point
// Of what is left then: all sides to 1/256 of that, and each by itself to a millionth.
constexpr int bisections = 8, bisections_of_a_side = 20;

class Growth {
public:
  Growth(const std::vector<InputDimension>& inputs, const std::vector<std::optional<double>>& point, size_t outputs,
         double floor, const PathOf& path_of, const WhatCounts& counts, const std::function<bool()>& keep_going)
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

  // Halved until it is safe, in growing steps of the exponent; then bisected.
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
  const WhatCounts& counts_;
  const std::function<bool()>& keep_going_;
  std::vector<double> reaches_; // of the lower and the upper side of each input
  SafeBox best_;
};

} // namespace

std::optional<SafeBox> safe_around(const std::vector<InputDimension>& inputs,
                                   const std::vector<std::optional<double>>& point, size_t outputs, double floor,
                                   const PathOf& path_of, const WhatCounts& counts,
                                   const std::function<bool()>& keep_going) {
  return Growth(inputs, point, outputs, floor, path_of, counts, keep_going).run();
}

} // namespace faultline::bound
