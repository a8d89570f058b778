#include "prove/linear_forms.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faultline::prove {

using numeric::Interval;

namespace {

// Sums of a few nonnegative doubles, rounded to nearest, are too small by less than this factor, and by less than
// the smallest normal number if they underflow.
constexpr double more = 1 + 0x1p-40, least = std::numeric_limits<double>::min();
constexpr double lost = 0x1p-48; // of the parts of a coefficient, in its sum

double above(double size) { return size * more + least; }

double center_of(const Interval& values) {
  return std::clamp(values.low / 2 + values.high / 2, values.low, values.high);
}

double radius_of(const Interval& values, double center) {
  return above(std::max(values.high - center, center - values.low));
}

bool is_continuous(ops::Op op) {
  using ops::Op;
  return op == Op::fmin || op == Op::fmax ||
         !(ops::has(op, ops::trait::jumps) || op == Op::copysign || op == Op::modf || op == Op::frexp);
}

} // namespace

LinearForms::LinearForms(size_t slots, size_t inputs)
    : inputs_(inputs), widths_(inputs), centers_(slots), rests_(slots), coefficients_(slots * inputs) {}

void LinearForms::place_input(size_t input, const Interval& box, double error) {
  place_range(uint32_t(input), box);
  widths_[input] = box.single() ? 0 : rests_[input];
  coefficients(uint32_t(input))[input] = 1;
  rests_[input] = error;
}

void LinearForms::place_range(uint32_t slot, const Interval& values) {
  std::fill_n(coefficients(slot), inputs_, 0.0);
  centers_[slot] = center_of(values);
  rests_[slot] = values.single() ? 0 : radius_of(values, centers_[slot]);
}

double LinearForms::reach(uint32_t slot) const {
  double sum = rests_[slot];
  const double* of = coefficients(slot);
  for (size_t i = 0; i < inputs_; ++i)
    sum += std::fabs(of[i]) * widths_[i];
  return above(sum);
}

Interval LinearForms::place_result(uint32_t slot, const model::CertifiedStep& step,
                                   const ops::OperandRanges<Interval>& operands, const Interval& exact) {
  place_range(slot, exact);
  if (!is_continuous(step.op))
    return Interval::nothing_known();
  const auto arity = size_t(ops::arity(step.op));
  const std::array<Interval, 3> slopes = ops::slopes_of(step.op, operands, exact);
  std::array<Interval, 3> at;
  ops::OperandRanges<Interval> points = {};
  for (size_t k = 0; k < arity; ++k) {
    at[k] = Interval::of(centers_[step.operands[k]]);
    points[k] = &at[k];
    if (!slopes[k].known() || !std::isfinite(slopes[k].magnitude()) || !operands[k]->has(at[k].low))
      return Interval::nothing_known();
  }
  const Interval value = ops::range_of(step.op, points, false);
  if (!value.known() || !std::isfinite(value.magnitude()))
    return Interval::nothing_known();
  const double center = center_of(value);
  double rest = radius_of(value, center);
  double* mine = coefficients(slot);
  for (size_t k = 0; k < arity; ++k) {
    const uint32_t operand = step.operands[k];
    const double slope = center_of(slopes[k]), doubt = slopes[k].single() ? 0 : radius_of(slopes[k], slope);
    double linear = 0;
    for (size_t i = 0; i < inputs_; ++i) {
      const double part = slope * coefficients(operand)[i];
      mine[i] += part;
      linear += std::fabs(part) * widths_[i];
    }
    rest += std::fabs(slope) * rests_[operand] + doubt * reach(operand) + lost * linear;
  }
  centers_[slot] = center;
  rests_[slot] = above(rest);
  const double distance = reach(slot);
  if (!std::isfinite(distance))
    return Interval::nothing_known();
  return {numeric::sum_down(center, -distance), numeric::sum_up(center, distance)};
}

void LinearForms::round(uint32_t slot, double error, const Interval& values) {
  rests_[slot] = above(rests_[slot] + error);
  if (const double radius = radius_of(values, center_of(values)); !(rests_[slot] < radius))
    place_range(slot, values); // the form is no better
}

} // namespace faultline::prove
