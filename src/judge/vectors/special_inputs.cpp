#include "judge/vectors/special_inputs.h"

#include "numeric/ulp.h"

#include <algorithm>
#include <cmath>

namespace faultline::judge {

using search::Dimension;

namespace {

constexpr size_t most_inputs = 16; // that have values of their own: those of a long array are like the first

bool has(const Dimension& dimension, long double value) {
  return value >= dimension.low && value <= dimension.high && dimension.nearest(value) == value;
}

std::vector<long double> special_values(const Dimension& dimension) {
  std::vector<long double> values = {0, 1, -1, 2, dimension.low, dimension.high};
  if (dimension.floating) {
    const long double tiny = numeric::smallest_normal(dimension.format), huge = numeric::largest(dimension.format);
    const long double least = dimension.at(dimension.order(0) + 1), epsilon = numeric::ulp(1, dimension.format);
    values.insert(values.end(), {-0.0L, 0.5L, tiny, -tiny, least, -least, huge, -huge, epsilon, 1 + epsilon});
  }
  std::erase_if(values, [&](long double value) { return !has(dimension, value); });
  return values;
}

} // namespace

std::vector<exec::Input> special_inputs(const search::Space& space) {
  std::vector<exec::Input> inputs;
  const auto add = [&](const exec::Input& input) {
    if (std::ranges::none_of(inputs, [&](const exec::Input& other) { return exec::same_bits(input, other); }))
      inputs.push_back(input);
  };
  exec::Input ones;
  std::vector<long double> common;
  for (const Dimension& dimension : space.dimensions) {
    ones.push_back(dimension.nearest(1));
    for (const long double value : special_values(dimension))
      if (dimension.floating)
        common.push_back(value);
  }
  if (space.dimensions.size() > 1)
    for (const long double value : common) {
      exec::Input input;
      for (const Dimension& dimension : space.dimensions)
        input.push_back(has(dimension, value) ? value : dimension.nearest(1));
      add(input);
    }
  for (size_t i = 0; i < std::min(space.dimensions.size(), most_inputs); ++i)
    for (const long double value : special_values(space.dimensions[i])) {
      exec::Input input = ones;
      input[i] = value;
      add(input);
    }
  return inputs;
}

} // namespace faultline::judge
