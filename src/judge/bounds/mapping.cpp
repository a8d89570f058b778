#include "judge/bounds/mapping.h"

#include "judge/bounds/found_error.h"
#include "oracle/lifted.h"

#include <algorithm>

namespace faultline::judge {

using finding::ErrorMeasure;

finding::BoxEnds ends_of(const bound::Box& box) {
  finding::BoxEnds ends;
  for (const bound::Interval& interval : box)
    ends.emplace_back(interval.low, interval.high);
  return ends;
}

finding::BoxEnds hull_of(const std::vector<bound::OpenBox>& boxes) {
  finding::BoxEnds hull;
  for (const bound::OpenBox& open : boxes) {
    const finding::BoxEnds ends = ends_of(open.box);
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

std::vector<finding::MapBox> told(const std::vector<bound::MappedBox>& boxes) {
  std::vector<finding::MapBox> all;
  for (const bound::MappedBox& box : boxes)
    all.push_back({ends_of(box.box), box.bound, {box.witness.begin(), box.witness.end()}, box.error});
  return all;
}

} // namespace

finding::SafetyMap drawn(bound::SafetyMap& map, size_t most, exec::Session& session, const std::vector<size_t>& outputs,
                         ErrorMeasure measure, double floor) {
  const bound::DrawnMap all = map.drawn(most, [&](const std::vector<double>& at) {
    std::optional<double> largest;
    for (const size_t output : outputs)
      if (const auto judged = judge_at(session, {at.begin(), at.end()}, output, floor))
        largest = std::max(largest.value_or(0), rounded_down(error_of(*judged, measure)));
    return largest;
  });
  return {told(all.safe), told(all.unsafe), told(all.open), {all.shares[0], all.shares[1], all.shares[2]}};
}

} // namespace faultline::judge
