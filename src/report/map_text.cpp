#include "report/map_text.h"

#include "finding/bound/map_words.h"
#include "report/bound_words.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using finding::BoundReport;
using finding::BoxEnds;
using finding::ErrorMeasure;
using finding::MapBox;

namespace {

constexpr size_t most_lines = 5; // of boxes, in each list: the report is one screen

std::vector<std::string> names_of(const std::vector<finding::InputRange>& inputs) {
  std::vector<std::string> names;
  for (const finding::InputRange& input : inputs)
    names.push_back(input.name);
  return names;
}

std::vector<size_t> free_inputs(const BoundReport& report) {
  std::vector<size_t> free;
  for (size_t i = 0; i < report.inputs.size(); ++i)
    if (report.inputs[i].low != report.inputs[i].high)
      free.push_back(i);
  return free;
}

std::string point_words(const std::vector<std::string>& names, const std::vector<long double>& point) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < point.size() && i < names.size(); ++i)
    if (!std::isnan(point[i])) // it has all of its range
      parts.push_back(fmt::format("{}={}", names[i], plain_number(double(point[i]))));
  return fmt::format("{}", fmt::join(parts, " "));
}

std::string boxes_text(const BoundReport& report, std::string_view what, const std::vector<MapBox>& boxes) {
  std::string text;
  const std::vector<std::string> names = names_of(report.inputs);
  for (size_t i = 0; i < boxes.size() && i < most_lines; ++i) {
    text += fmt::format("  {:24}{}", i == 0 ? what : "", box_words(names, boxes[i].ends));
    if (!boxes[i].witness.empty())
      text += fmt::format(": {} at {}", finding::found_words(boxes[i].error, report.measure),
                          point_words(names, boxes[i].witness));
    text += "\n";
  }
  if (boxes.size() > most_lines)
    text += fmt::format("  {:24}and {} more (-o FILE.json has them)\n", "", boxes.size() - most_lines);
  return text;
}

// Of all that is not nothing, and never rounded to all if it is not.
std::string share_words(double share) {
  if (share <= 0 || share >= 1)
    return share <= 0 ? "0 %" : "100 %";
  return share < 0.001 ? "less than 0.1 %" : share > 0.999 ? "more than 99.9 %" : fmt::format("{:.1f} %", 100 * share);
}

} // namespace

std::string map_summary(const BoundReport& report) {
  const finding::SafetyMap& map = report.bounds.map;
  const std::vector<size_t> free = free_inputs(report);
  std::vector<std::string> parts;
  if (free.size() == 1) {
    const std::string& name = report.inputs[free[0]].name;
    for (const std::string& words :
         {finding::safe_words(map, free[0], name), finding::unsafe_words(map, free[0], name, report.measure),
          finding::open_words(map, free[0], name)})
      if (!words.empty())
        parts.push_back(words);
    return fmt::format("{}", fmt::join(parts, "; "));
  }
  double worst = 0;
  for (const MapBox& box : map.unsafe)
    worst = std::max(worst, box.error);
  if (map.unsafe.empty() && map.open.empty())
    return "safe in the whole range (proved)";
  parts = {fmt::format("safe in {} of the range (proved)", share_words(map.shares[0]))};
  if (!map.unsafe.empty())
    parts.push_back(fmt::format("wrong by up to {}, found in boxes that are {} of it",
                                finding::found_words(worst, report.measure), share_words(map.shares[1])));
  if (!map.open.empty())
    parts.push_back(fmt::format("{} open", share_words(map.shares[2])));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string map_text(const BoundReport& report, const Style& style) {
  if (!report.threshold)
    return "";
  const finding::SafetyMap& map = report.bounds.map;
  return style.bold(fmt::format("where the {} error is above {}", finding::text(report.measure), *report.threshold)) +
         fmt::format("\n  {}\n", map_summary(report)) + boxes_text(report, "nowhere in (proved)", map.safe) +
         boxes_text(report, "found in", map.unsafe) + boxes_text(report, "not known in", map.open) + "\n";
}

std::string around_text(const BoundReport& report) {
  if (!report.bounds.around)
    return "";
  const finding::SafeAround& around = *report.bounds.around;
  const std::vector<std::string> names = names_of(report.inputs);
  const std::string point = point_words(names, {around.point.begin(), around.point.end()});
  if (around.box.empty())
    return fmt::format("no safe box around {} can be proved\n\n", point);
  return fmt::format("safe around {} (proved): {}\n  no error above {} there\n\n", point, box_words(names, around.box),
                     three_digits(around.bound, true));
}

std::string proof_text(const finding::TargetReport& target) {
  if (!target.proof || !target.proof->proved)
    return "";
  const finding::Proof& proof = *target.proof;
  BoxEnds box;
  for (const finding::InputRange& input : target.inputs)
    box.emplace_back(std::strtod(input.low.c_str(), nullptr), std::strtod(input.high.c_str(), nullptr));
  constexpr size_t most = 4; // inputs whose ranges are told: an array has many
  const std::string where =
      box.size() > most ? "all inputs of the given ranges" : box_words(names_of(target.inputs), box);
  return fmt::format("proved: no {}error above {:g}{} for {}; none is above {}",
                     proof.measure == ErrorMeasure::absolute ? "absolute " : "", proof.threshold,
                     proof.measure == ErrorMeasure::ulps ? " ulps" : "", where, three_digits(proof.bound, true));
}

} // namespace faultline::report
