#include "judge/bounds/error_curve.h"

#include "bound/cut.h"
#include "judge/bounds/certifying.h"

#include <algorithm>
#include <cmath>

namespace faultline::judge {

using finding::ErrorCurve;

namespace {

constexpr int most_points = 160;          // each way: along the number line, and by magnitude
constexpr uint64_t boxes_of_stretch = 24; // of the bound between two places: some 0.1 ms

// Along the range, and by magnitude on both sides of 0, down to a thousandth of the last digit of the largest.
std::vector<double> places_in(const bound::InputDimension& input) {
  constexpr double least_share = 1e-19;
  const bound::Interval& range = input.range;
  std::vector<double> places;
  for (int i = 0; i <= most_points; ++i) {
    const double share = double(i) / most_points;
    places.push_back(range.low * (1 - share) + range.high * share);
    const double least = std::max(range.mignitude(), range.magnitude() * least_share);
    const double size = least * std::pow(range.magnitude() / least, share);
    for (const double value : {size, -size})
      if (range.has(value))
        places.push_back(value);
  }
  for (double& place : places)
    place = std::clamp(bound::rounded_to(place, input.format), range.low, range.high);
  std::ranges::sort(places);
  places.erase(std::ranges::unique(places).begin(), places.end());
  return places;
}

// What a few boxes prove of the floats between two places.
ErrorCurve::Stretch stretch_between(double low, double high, size_t input, const BoundedTarget& target) {
  std::vector<bound::InputDimension> inputs = target.inputs;
  inputs[input].range = {low, high};
  bound::BranchAndBound proof(std::move(inputs), target.outputs, target.floor, target.path_of);
  proof.run(bound::Measure::relative, {.boxes = boxes_of_stretch}, [] { return true; });
  constexpr double infinity = std::numeric_limits<double>::infinity();
  ErrorCurve::Stretch stretch{low, high, {}};
  for (const finding::ErrorMeasure measure : finding::all_measures)
    for (size_t output = 0; output < target.outputs; ++output)
      stretch.bounds[size_t(measure)] =
          std::max(stretch.bounds[size_t(measure)], proof.complete() ? proof.proven(output, measure) : infinity);
  return stretch;
}

} // namespace

ErrorCurve error_curve(const BoundedTarget& target, bound::Climb& climb, const std::function<bool()>& keep_going) {
  std::vector<size_t> free;
  std::vector<double> at;
  for (size_t i = 0; i < target.inputs.size(); ++i) {
    at.push_back(target.inputs[i].range.low);
    if (!target.inputs[i].range.single())
      free.push_back(i);
  }
  if (free.size() != 1)
    return {};
  ErrorCurve curve;
  const std::vector<double> places = places_in(target.inputs[free[0]]);
  for (size_t i = 0; i < places.size() && keep_going(); ++i) {
    at[free[0]] = places[i];
    ErrorCurve::Point point{places[i], {}};
    for (const finding::ErrorMeasure measure : finding::all_measures)
      point.errors[size_t(measure)] = climb.error_at(at, measure);
    curve.points.push_back(point);
  }
  for (size_t i = 0; i + 1 < places.size() && keep_going(); ++i)
    curve.stretches.push_back(stretch_between(places[i], places[i + 1], free[0], target));
  return curve;
}

} // namespace faultline::judge
