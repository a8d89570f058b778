#include "judge/bounds/bounded_inputs.h"

#include "frontend/error.h"
#include "judge/space_of_target.h"
#include "numeric/ulp.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {
namespace {

using frontend::status_usage;
using frontend::UserError;

bool covers_all(const search::Dimension& dimension) { return dimension.high >= numeric::largest(dimension.format); }

// Boxes have doubles at their ends, and each integer its turn.
void check_integer(const search::Dimension& dimension, const frontend::Cell& cell, const frontend::Target& target,
                   const finding::Settings& settings, const finding::BoundTask& task) {
  constexpr long double most = 0x1p53L;
  if (dimension.held())
    return;
  const std::string one = fmt::format("--hold {}=4", dimension.name);
  if (is_assumed(cell, target, settings) || !dimension.values.empty())
    throw UserError(status_usage, fmt::format("{} is an integer, and nobody says which values it has", dimension.name),
                    fmt::format("{}, or --range {}=1:5", one, dimension.name));
  if (std::fabs(dimension.low) > most || std::fabs(dimension.high) > most)
    throw UserError(status_usage, fmt::format("the range of {} has too many integers", dimension.name), one);
  if (task.certificate)
    throw UserError(status_usage, fmt::format("a certificate is for one value of {}, an integer", dimension.name), one);
}

} // namespace

std::vector<bound::InputDimension> bounded_inputs(const frontend::Target& target, const finding::Settings& settings,
                                                  const finding::BoundTask& task) {
  std::vector<bound::InputDimension> inputs;
  const search::Space space = space_of(target, settings);
  for (size_t i = 0; i < space.dimensions.size(); ++i) {
    const search::Dimension& dimension = space.dimensions[i];
    if (!dimension.floating)
      check_integer(dimension, target.inputs[i], target, settings, task);
    else if (covers_all(dimension))
      throw UserError(status_usage, fmt::format("the range of {} is not given", dimension.name),
                      fmt::format("--range {}=LO:HI", dimension.name));
    bound::InputDimension input{dimension.format, {double(dimension.low), double(dimension.high)}, {}};
    input.whole = !dimension.floating;
    input.error.rounded = task.rounded_inputs && dimension.floating;
    for (const auto& [name, error] : task.input_errors)
      if (name == dimension.name)
        input.error = {error, false};
    inputs.push_back(input);
  }
  for (const auto& [name, error] : task.input_errors)
    if (std::ranges::none_of(target.inputs, [&](const frontend::Cell& cell) { return cell.name == name; }))
      throw UserError(status_usage, fmt::format("--input-error {}: there is no such input", name),
                      "faultline list SOURCE shows the inputs");
  return inputs;
}

} // namespace faultline::judge
