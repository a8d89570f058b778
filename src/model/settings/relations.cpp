#include "model/settings/relations.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <set>

namespace faultline::model {

namespace {

using Real = numeric::Value;

// A number, or an array: one input of any length, or the inputs A[0], A[1], ...
struct Group {
  std::string name;
  bool is_array = false, floating = true;
  size_t first = 0, count = 1; // inputs
  Real epsilon = 0;            // of the format
  Real low = 0, high = 0;      // of all values
  bool may_be_output = false;
};

std::vector<Group> groups_of(const std::vector<SeenInput>& inputs) {
  std::vector<Group> groups;
  for (size_t i = 0; i < inputs.size();) {
    const SeenInput& input = inputs[i];
    const ArrayRun run = input.is_array ? ArrayRun() : array_run(inputs, i);
    Group group{.name = run.length > 1 ? run.array : input.name,
                .is_array = input.is_array || run.length > 1,
                .floating = !(input.type.find("int") != std::string::npos),
                .first = i,
                .count = std::max<size_t>(run.length, 1),
                .epsilon = std::ldexp(Real(1), input.type == "binary32"   ? -24
                                               : input.type == "binary64" ? -53
                                                                          : -64),
                .low = input.low,
                .high = input.high,
                .may_be_output = input.may_be_output};
    i += group.count;
    for (size_t k = group.first; k < i; ++k) {
      group.low = std::min(group.low, inputs[k].low);
      group.high = std::max(group.high, inputs[k].high);
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<Real> values_of(const SeenCall& call, const Group& group) {
  if (group.count == 1)
    return call[group.first];
  std::vector<Real> values;
  for (size_t i = 0; i < group.count; ++i)
    values.push_back(call[group.first + i].front());
  return values;
}

// The different values that a group had.
using Samples = std::set<std::vector<Real>>;

Samples samples_of(const Group& group, const std::vector<SeenCall>& calls) {
  Samples samples;
  for (const SeenCall& call : calls)
    samples.insert(values_of(call, group));
  return samples;
}

// Numbers that tests pass for convenience: they satisfy equations by chance.
bool is_plain(Real value) { return value == 0 || std::fabs(value) == 1; }

bool is_telling(const std::vector<Real>& values) {
  return std::ranges::count_if(values, [](Real value) { return !is_plain(value); }) >= 2;
}

// All samples satisfy the equation, and enough of them might not have done so.
bool always(const Samples& samples, const std::function<bool(const std::vector<Real>&)>& holds) {
  return size_t(std::ranges::count_if(samples, is_telling)) >= calls_for_equation &&
         std::ranges::all_of(samples, holds);
}

Real sum_of(const std::vector<Real>& values) {
  Real sum = 0;
  for (const Real value : values)
    sum += value;
  return sum;
}

Real square_of(const std::vector<Real>& values) {
  Real sum = 0;
  for (const Real value : values)
    sum += value * value;
  return sum;
}

// What code has computed satisfies an equation up to the roundings of many operations: a guess, four digits fewer than
// the format has. A hunt moves such calls to where the equation holds.
Real tolerance(const Group& group, size_t count) { return 0x1p13L * Real(count) * group.epsilon; }

size_t side_of(const std::vector<Real>& values) {
  const auto side = size_t(std::lround(std::sqrt(double(values.size()))));
  return side >= 2 && side * side == values.size() ? side : 0;
}

bool is_symmetric(const std::vector<Real>& values) {
  const size_t side = side_of(values);
  for (size_t i = 0; i < side; ++i)
    for (size_t j = 0; j < i; ++j)
      if (values[i * side + j] != values[j * side + i])
        return false;
  return side > 0;
}

bool has_telling_sides(const std::vector<Real>& values) {
  const size_t side = side_of(values);
  for (size_t i = 0; i < side; ++i)
    for (size_t j = 0; j < i; ++j)
      if (!is_plain(values[i * side + j]))
        return true;
  return false;
}

bool is_orthogonal(const Group& group, const std::vector<Real>& values) {
  const size_t side = side_of(values);
  for (size_t i = 0; i < side; ++i)
    for (size_t j = 0; j <= i; ++j) {
      Real product = 0;
      for (size_t k = 0; k < side; ++k)
        product += values[i * side + k] * values[j * side + k];
      if (!(std::fabs(product - (i == j)) <= tolerance(group, side)))
        return false;
    }
  return side > 0;
}

Real determinant(const std::vector<Real>& m) {
  if (m.size() == 4)
    return m[0] * m[3] - m[1] * m[2];
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

void add_matrix(const Group& group, const Samples& samples, std::vector<std::string>& relations) {
  if (always(samples, [&](const auto& values) { return is_orthogonal(group, values); })) {
    const bool rotates =
        std::ranges::all_of(samples, [](const auto& values) { return values.size() <= 9 && determinant(values) > 0; });
    relations.push_back(fmt::format("{}({})", rotates ? "rotation" : "orthogonal", group.name));
  } else if (size_t(std::ranges::count_if(samples, has_telling_sides)) >= calls_for_equation &&
             std::ranges::all_of(samples, is_symmetric)) {
    relations.push_back(fmt::format("symmetric({})", group.name));
  }
}

// A random order of n elements is ascending with a probability of 1 / n!.
void add_sorted(const Group& group, const Samples& samples, std::vector<std::string>& relations) {
  double bits = 0;
  bool strictly = true, sorted = true;
  for (const std::vector<Real>& values : samples) {
    sorted = sorted && std::ranges::is_sorted(values);
    strictly = strictly && std::ranges::adjacent_find(values, std::greater_equal<>()) == values.end();
    bits += std::lgamma(double(values.size()) + 1) / std::log(2.0);
  }
  if (sorted && samples.size() >= calls_for_equation && bits >= double(calls_for_order))
    relations.push_back(fmt::format("{}({})", strictly ? "increasing" : "sorted", group.name));
}

void add_of_array(const Group& group, const Samples& samples, std::vector<std::string>& relations) {
  add_sorted(group, samples, relations);
  if (!group.floating)
    return;
  const size_t before = relations.size();
  const bool square = std::ranges::all_of(
      samples, [&](const auto& values) { return side_of(values) > 0 && values.size() == samples.begin()->size(); });
  if (square)
    add_matrix(group, samples, relations);
  if (relations.size() > before)
    return;
  if (always(samples,
             [&](const auto& values) { return std::fabs(sum_of(values) - 1) <= tolerance(group, values.size()); }))
    relations.push_back(fmt::format("sum({}) == 1", group.name));
  else if (always(samples, [&](const auto& values) {
             return std::fabs(std::sqrt(square_of(values)) - 1) <= tolerance(group, values.size());
           }))
    relations.push_back(fmt::format("norm({}) == 1", group.name));
}

void add_integrality(const Group& group, const Samples& samples, std::vector<std::string>& relations) {
  std::set<Real> different;
  for (const std::vector<Real>& values : samples)
    for (const Real value : values) {
      if (value != std::rint(value))
        return;
      different.insert(value);
    }
  if (group.floating && different.size() >= calls_for_integers)
    relations.push_back(fmt::format("integer({})", group.name));
}

// Ranges say it already if they are apart, a factor of two beyond their ends included.
bool may_cross(const Group& a, const Group& b) {
  const auto outwards = [](Real end, bool low) { return (end < 0) == low ? end * 2 : end / 2; };
  return outwards(a.high, false) >= outwards(b.low, true) && outwards(b.high, false) >= outwards(a.low, true);
}

// The order of two numbers, or of the elements of two arrays, over all calls.
struct Orders {
  bool less = true, less_equal = true, greater = true, greater_equal = true, equal = true, comparable = true;
  std::set<std::vector<Real>> pairs; // different ones

  void add(const std::vector<Real>& a, const std::vector<Real>& b) {
    comparable = comparable && a.size() == b.size();
    for (size_t i = 0; comparable && i < a.size(); ++i) {
      less = less && a[i] < b[i];
      less_equal = less_equal && a[i] <= b[i];
      greater = greater && a[i] > b[i];
      greater_equal = greater_equal && a[i] >= b[i];
      equal = equal && a[i] == b[i];
      pairs.insert({a[i], b[i]});
    }
  }

  const char* sign(size_t support) const {
    if (!comparable || pairs.size() < (equal ? calls_for_equation : support))
      return nullptr;
    return equal ? "==" : less ? "<" : greater ? ">" : less_equal ? "<=" : greater_equal ? ">=" : nullptr;
  }
};

void add_orders(const std::vector<Group>& groups, const std::vector<SeenCall>& calls,
                std::vector<std::string>& relations) {
  const size_t pairs = groups.size() * (groups.size() - 1) / 2,
               support = calls_for_order + size_t(std::bit_width(pairs));
  for (size_t a = 0; a < groups.size(); ++a)
    for (size_t b = a + 1; b < groups.size(); ++b) {
      const Group &one = groups[a], &other = groups[b];
      if (one.may_be_output || other.may_be_output || one.is_array != other.is_array ||
          one.floating != other.floating || !may_cross(one, other))
        continue;
      Orders orders;
      for (const SeenCall& call : calls)
        orders.add(values_of(call, one), values_of(call, other));
      const char* index = one.is_array ? "[i]" : "";
      if (const char* sign = orders.sign(support))
        relations.push_back(fmt::format("{}{} {} {}{}", one.name, index, sign, other.name, index));
    }
}

// Names of fields and of Fortran's components may have forms that --assume does not read.
bool can_be_named(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.' || c == '[' || c == ']';
  });
}

} // namespace

std::vector<std::string> relations_of(const std::vector<SeenInput>& inputs, const std::vector<SeenCall>& calls) {
  constexpr size_t most_groups = 24; // their pairs are compared: a guess
  std::vector<Group> groups = groups_of(inputs);
  std::erase_if(groups, [](const Group& group) { return !can_be_named(group.name); });
  if (groups.empty() || groups.size() > most_groups || calls.size() < calls_for_equation)
    return {};
  std::vector<std::string> relations;
  for (const Group& group : groups) {
    const Samples samples = samples_of(group, calls);
    if (group.is_array)
      add_of_array(group, samples, relations);
    add_integrality(group, samples, relations);
  }
  add_orders(groups, calls, relations);
  return relations;
}

} // namespace faultline::model
