#include "judge/bounds/certifying.h"

#include "judge/space_of_target.h"
#include "oracle/lifted.h"
#include "prove/cut.h"
#include "prove/path_reader.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace faultline::judge {

using namespace model;

BoxEnds ends_of(const prove::Box& box) {
  BoxEnds ends;
  for (const prove::Interval& interval : box)
    ends.emplace_back(interval.low, interval.high);
  return ends;
}

BoxEnds hull_of(const std::vector<prove::OpenBox>& boxes) {
  BoxEnds hull;
  for (const prove::OpenBox& open : boxes) {
    const BoxEnds ends = ends_of(open.box);
    if (hull.empty())
      hull = ends;
    for (size_t i = 0; i < ends.size(); ++i)
      hull[i] = {std::min(hull[i].first, ends[i].first), std::max(hull[i].second, ends[i].second)};
  }
  return hull;
}

std::optional<oracle::OutputJudgement> judge_at(exec::Session& session, const exec::Input& input, size_t output,
                                                double floor) {
  const exec::Run& run = session.run(input);
  const tape::Tape tape(run, session.sites(), input.size());
  oracle::Judgement judgement = oracle::judge_lifted(session, input, tape, {output}, floor);
  if (judgement.certainty != oracle::Certainty::known || judgement.outputs.empty() || judgement.outputs.front().unset ||
      !judgement.outputs.front().is_certain())
    return std::nullopt;
  return std::move(judgement.outputs.front());
}

namespace {

std::vector<MapBox> map_boxes(const std::vector<prove::MappedBox>& boxes) {
  std::vector<MapBox> all;
  for (const prove::MappedBox& box : boxes)
    all.push_back({ends_of(box.box), box.bound, {box.witness.begin(), box.witness.end()}, box.error});
  return all;
}

constexpr int most_points = 160;          // for each spacing: along the number line, and by magnitude
constexpr uint64_t boxes_of_stretch = 24; // for the bound between two places: about 0.1 ms

// Places along the range, and by magnitude on both sides of 0, down to a thousandth of the last digit of the largest.
std::vector<double> places_in(const prove::InputDimension& input) {
  constexpr double least_share = 1e-19;
  const prove::Interval& range = input.range;
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
    place = std::clamp(prove::rounded_to(place, input.format), range.low, range.high);
  std::ranges::sort(places);
  places.erase(std::ranges::unique(places).begin(), places.end());
  return places;
}

// The bound that a few boxes prove for the floats between two places.
ErrorCurve::Stretch stretch_between(double low, double high, size_t input, const BoundedTarget& target) {
  std::vector<prove::InputDimension> inputs = target.inputs;
  inputs[input].range = {low, high};
  prove::BranchAndBound proof(std::move(inputs), target.outputs, target.floor, target.path_of);
  proof.run(prove::Measure::relative, {.boxes = boxes_of_stretch}, [] { return true; });
  constexpr double infinity = std::numeric_limits<double>::infinity();
  ErrorCurve::Stretch stretch{low, high, {}};
  for (const ErrorMeasure measure : model::all_measures)
    for (size_t output = 0; output < target.outputs; ++output)
      stretch.bounds[size_t(measure)] =
          std::max(stretch.bounds[size_t(measure)], proof.complete() ? proof.proven(output, measure) : infinity);
  return stretch;
}

// Certificates do not support the difference between the sides of a branch.
constexpr const char* at_border = "rounding may change a comparison";

double measured(const prove::OutputBound& bound, ErrorMeasure measure) { return value_of(bound, measure); }

class Certifying {
public:
  Certifying(const prove::BranchAndBound& proof, Certificate& certificate) : proof_(proof), certificate_(certificate) {
    for (prove::OpenBox& open : proof.open())
      open_.emplace(open.node, std::move(open.reason));
  }

  void run() {
    for (size_t i = 0; i < certificate_.outputs.size(); ++i)
      for (const ErrorMeasure measure : model::all_measures)
        if (const double proven = proof_.proven(i, measure); proven < model::useless_bound)
          certificate_.outputs[i].claims[size_t(measure)] = proven;
    std::vector<uint32_t> todo = {0};
    while (!todo.empty()) {
      const uint32_t index = todo.back();
      const prove::SplitNode& node = proof_.nodes()[index];
      todo.pop_back();
      if (node.leaf && proof_.leaf(*node.leaf).code && (node.parts == 0 || is_enough(proof_.leaf(*node.leaf)))) {
        add_bounded(proof_.leaf(*node.leaf));
      } else if (node.parts == 0) {
        add_open(index);
      } else {
        certificate_.tree.push_back({ProofNode::Kind::cut, node.input, node.cut});
        todo.push_back(node.parts + 1);
        todo.push_back(node.parts);
      }
    }
  }

private:
  // All measures share the splits. A box whose bounds are within the claims need not be split.
  bool is_enough(const prove::BoundedBox& box) const {
    for (size_t i = 0; i < certificate_.outputs.size(); ++i)
      for (const ErrorMeasure measure : model::all_measures)
        if (measured(box.outputs[i], measure) > certificate_.outputs[i].claims[size_t(measure)])
          return false;
    return true;
  }

  void add_bounded(const prove::BoundedBox& box) {
    const auto [path, is_new] = paths_.emplace(box.code, uint32_t(certificate_.paths.size()));
    if (is_new)
      certificate_.paths.push_back(*box.code);
    certificate_.tree.push_back({ProofNode::Kind::bounded, path->second, 0});
    for (size_t i = 0; i < certificate_.outputs.size(); ++i)
      for (const ErrorMeasure measure : model::all_measures)
        if (const double claim = certificate_.outputs[i].claims[size_t(measure)]; claim != model::no_claim)
          certificate_.bounds.push_back(model::rounded_up_to(measured(box.outputs[i], measure), claim));
  }

  void add_open(uint32_t node) {
    const auto open = open_.find(node);
    const auto [reason, is_new] =
        reasons_.emplace(open == open_.end() ? at_border : open->second, uint32_t(certificate_.reasons.size()));
    if (is_new)
      certificate_.reasons.push_back(reason->first);
    certificate_.tree.push_back({ProofNode::Kind::open, reason->second, 0});
  }

  const prove::BranchAndBound& proof_;
  Certificate& certificate_;
  std::unordered_map<uint32_t, std::string> open_; // by node
  std::map<const prove::StraightCode*, uint32_t> paths_;
  std::map<std::string, uint32_t> reasons_;
};

} // namespace

SafetyMap drawn(prove::SafetyMap& map, size_t most, exec::Session& session, const std::vector<size_t>& outputs,
                ErrorMeasure measure, double floor) {
  const prove::DrawnMap all = map.drawn(most, [&](const std::vector<double>& at) {
    std::optional<double> largest;
    for (const size_t output : outputs)
      if (const auto judged = judge_at(session, {at.begin(), at.end()}, output, floor))
        largest = std::max(largest.value_or(0), rounded_down(error_of(*judged, measure)));
    return largest;
  });
  return {
      map_boxes(all.safe), map_boxes(all.unsafe), map_boxes(all.open), {all.shares[0], all.shares[1], all.shares[2]}};
}

ErrorCurve error_curve(const BoundedTarget& target, prove::Climb& climb, const std::function<bool()>& keep_going) {
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
    for (const ErrorMeasure measure : model::all_measures)
      point.errors[size_t(measure)] = climb.error_at(at, measure);
    curve.points.push_back(point);
  }
  for (size_t i = 0; i + 1 < places.size() && keep_going(); ++i)
    curve.stretches.push_back(stretch_between(places[i], places[i + 1], free[0], target));
  return curve;
}

Certificate certificate_of(const prove::BranchAndBound& proof, std::vector<CertifiedInput> inputs,
                           std::vector<CertifiedOutput> outputs, double floor) {
  Certificate certificate;
  certificate.inputs = std::move(inputs);
  certificate.outputs = std::move(outputs);
  certificate.floor = floor;
  Certifying(proof, certificate).run();
  return certificate;
}

void tell_paths(exec::Session& session, const Settings& settings, const PathsTask& task, const Tell& tell) {
  const std::vector<size_t> outputs = judged_outputs(session.target(), settings);
  std::vector<prove::InputDimension> inputs;
  for (const model::Cell& cell : session.target().inputs)
    inputs.push_back({cell.type.format, {}, {}});
  prove::PathReader reader(session, inputs, outputs, oracle::formats_of(session.target(), outputs));
  for (size_t i = 0; i < task.inputs.size(); ++i) {
    const prove::PathAt path = reader.path_at({task.inputs[i].begin(), task.inputs[i].end()});
    PathMessage message{i, inputs.size(), {}, path.obstacle};
    if (path.code)
      message.code = *path.code;
    tell(message);
  }
}

} // namespace faultline::judge
