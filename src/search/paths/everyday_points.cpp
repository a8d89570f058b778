#include "search/paths/everyday_points.h"

#include "search/everyday.h"
#include "search/paths/strangeness.h"

#include <algorithm>
#include <cmath>

namespace faultline::search {
namespace {

// How many values of each input make at most so many combinations.
size_t values_of_a_grid(size_t inputs, size_t most) {
  size_t side = 1;
  const auto fits = [&](size_t values) {
    double points = 1;
    for (size_t i = 0; i < inputs && points <= double(most); ++i)
      points *= double(values);
    return points <= double(most);
  };
  while (fits(side + 1) && side < most)
    ++side;
  return side;
}

// So many of the values: the least strange ones, and a quarter that are constants of the program, which equations need.
std::vector<long double> values_for_grid(const std::vector<long double>& values,
                                         const std::vector<long double>& constants, size_t most) {
  if (values.size() <= most)
    return values;
  std::vector<long double> chosen(values.begin(), values.begin() + long(most - most / 4));
  const auto add = [&](bool only_constants) {
    for (const long double value : values)
      if (chosen.size() < most && std::ranges::find(chosen, value) == chosen.end() &&
          (!only_constants || std::ranges::find(constants, value) != constants.end()))
        chosen.push_back(value);
  };
  add(true);
  add(false);
  return chosen;
}

} // namespace

std::vector<long double> everyday_values(const Dimension& dimension, const std::vector<long double>& constants) {
  std::vector<long double> values;
  for (int i = 0; i <= 10; ++i)
    values.push_back(i);
  values.insert(values.end(), {0.5L, 1.5L, 2.5L, 20, 50});
  for (const long double power : {1e-9L, 1e-6L, 1e-3L, 0.01L, 0.1L, 100.0L, 1e3L, 1e4L, 1e5L, 1e6L, 1e9L})
    values.push_back(power);
  for (const long double constant : constants)
    for (const long double beside : {constant, constant - 1, constant + 1, constant / 2, constant * 2})
      values.push_back(beside);
  const size_t positive = values.size();
  for (size_t i = 0; i < positive; ++i)
    values.push_back(-values[i]);
  values.insert(values.end(), {dimension.low, dimension.high, dimension.low / 2 + dimension.high / 2});
  std::erase_if(values, [&](long double value) { return value < dimension.low || value > dimension.high; });
  for (long double& value : values)
    value = dimension.nearest(value) + 0.0L; // no -0
  std::erase_if(values, [&](long double value) { return !is_everyday(dimension, value); });
  std::ranges::sort(values, {}, [&](long double value) { return std::pair(strangeness(dimension, value), value); });
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::vector<exec::Input> everyday_points(const Space& space, const std::vector<long double>& constants, size_t most,
                                         numeric::Rng rng) {
  std::vector<std::vector<long double>> values;
  size_t inputs = 0;
  for (const Dimension& dimension : space.dimensions) {
    values.push_back(dimension.held() ? std::vector{dimension.low} : everyday_values(dimension, constants));
    if (values.back().empty()) // nothing that is small lies within the range
      values.back().push_back(dimension.low);
    inputs += values.back().size() > 1;
  }
  if (inputs == 0)
    return {};
  const size_t side = values_of_a_grid(inputs, most / 2);
  std::vector<std::vector<long double>> grid;
  for (const std::vector<long double>& some : values)
    grid.push_back(values_for_grid(some, constants, side));
  std::vector<exec::Input> points;
  std::vector<size_t> at(values.size()); // digits of a number that counts the points of the grid
  for (bool more = true; more;) {
    exec::Input point;
    for (size_t i = 0; i < grid.size(); ++i)
      point.push_back(grid[i][at[i]]);
    points.push_back(std::move(point));
    more = false;
    for (size_t i = at.size(); i > 0 && !more; --i) { // the last one fastest: 3, 4, 5 comes before 4, 3, 5
      more = ++at[i - 1] < grid[i - 1].size();
      if (!more)
        at[i - 1] = 0;
    }
  }
  // A grid of all values leaves nothing to draw.
  if (grid == values)
    return points;
  for (size_t drawn = 0; drawn < most / 2; ++drawn) {
    exec::Input point;
    for (const std::vector<long double>& some : values)
      point.push_back(some[rng.below(some.size())]);
    points.push_back(std::move(point));
  }
  return points;
}

} // namespace faultline::search
