#include "judge/bounds/around.h"

#include "bound/cut.h"
#include "bound/safe_around.h"
#include "frontend/error.h"
#include "judge/bounds/mapping.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::judge {

using frontend::status_usage;
using frontend::UserError;

std::vector<std::optional<double>> point_of(const finding::BoundTask& task, const frontend::Target& target,
                                            const std::vector<bound::InputDimension>& inputs, bool says_what_counts) {
  std::vector<std::optional<double>> point(inputs.size());
  if (task.around.empty())
    return {};
  if (!says_what_counts)
    throw UserError(status_usage, "--around: nothing says which errors are safe", "--threshold 1e-9");
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].range.single())
      point[i] = inputs[i].range.low;
  for (const auto& [name, value] : task.around) {
    const auto cell = std::ranges::find(target.inputs, name, &frontend::Cell::name);
    if (cell == target.inputs.end())
      throw UserError(status_usage, fmt::format("--around {}: there is no such input", name),
                      "faultline list SOURCE shows the inputs");
    const auto i = size_t(cell - target.inputs.begin());
    const double nearest = bound::rounded_to(value, inputs[i].format);
    if (!inputs[i].range.has(nearest))
      throw UserError(status_usage, fmt::format("--around {}={}: that is not in its range", name, value),
                      fmt::format("--range {}={}:{}", name, std::min(value, inputs[i].range.low),
                                  std::max(value, inputs[i].range.high)));
    point[i] = nearest;
  }
  return point;
}

finding::SafeAround safe_around(const std::vector<std::optional<double>>& point,
                                const std::vector<bound::InputDimension>& inputs, size_t outputs, double floor,
                                const bound::PathOf& path_of, const bound::WhatCounts& counts,
                                const std::function<bool()>& keep_going) {
  finding::SafeAround around;
  for (size_t i = 0; i < point.size(); ++i)
    around.point.push_back(point[i].value_or(std::numeric_limits<double>::quiet_NaN()));
  if (const std::optional<bound::SafeBox> safe =
          bound::safe_around(inputs, point, outputs, floor, path_of, counts, keep_going)) {
    around.box = ends_of(safe->box);
    around.bound = safe->bound;
  }
  return around;
}

} // namespace faultline::judge
