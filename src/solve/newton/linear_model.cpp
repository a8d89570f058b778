#include "solve/newton/linear_model.h"

#include "ops/order.h"
#include "solve/newton/margin_program.h"
#include "solve/newton/sweep.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace faultline::solve {

using ops::Op;
using State = Violation::State;

namespace {

uint32_t chosen_part(const Goal& goal, const State& state, numeric::Rng* shuffle) {
  const uint32_t best = *std::min_element(goal.parts.begin(), goal.parts.end(), [&](uint32_t a, uint32_t b) {
    return state.distances[a] < state.distances[b];
  });
  return shuffle && state.distances[best] != 0 ? goal.parts[shuffle->below(goal.parts.size())] : best;
}

// How a and b shall stand: a - b <= 0, or >= 0, or both.
struct Direction {
  bool at_most = false, at_least = false;
};

Direction direction_of(const Goal& goal, double a, double b) {
  if (goal.kind == Goal::Kind::same)
    return {goal.wanted, goal.wanted};
  if (goal.kind != Goal::Kind::compare)
    return {};
  const bool below = ops::holds(goal.op, ops::trait::less), above = ops::holds(goal.op, ops::trait::greater),
             equal = ops::holds(goal.op, ops::trait::equal);
  if (below != above)
    return {below, above};
  if (below == equal) // cmp_ord, cmp_uno: that is no matter of directions
    return {};
  return equal ? Direction{true, true} : Direction{a<b, a> b};
}

double spacing(double value, constraint::BinaryFormat format) {
  return std::ldexp(std::max(std::fabs(value), 1e-290), 1 - format.significand_bits);
}

} // namespace

std::vector<uint32_t> chosen_atoms(const Violation& violation, const State& state, numeric::Rng* shuffle) {
  std::vector<uint32_t> atoms, open = violation.assertions();
  std::vector<char> seen(violation.goals().size(), 0);
  while (!open.empty()) {
    const uint32_t next = open.back();
    const Goal& goal = violation.goals()[next];
    open.pop_back();
    if (std::exchange(seen[next], 1))
      continue;
    if (goal.is_atom())
      atoms.push_back(next);
    else if (goal.kind == Goal::Kind::every)
      open.insert(open.end(), goal.parts.begin(), goal.parts.end());
    else
      open.push_back(chosen_part(goal, state, shuffle));
  }
  std::sort(atoms.begin(), atoms.end());
  return atoms;
}

LinearModel::LinearModel(const Violation& violation, const State& state, const Box& box,
                         const std::vector<uint32_t>& atoms)
    : state_(state), compiled_(violation.compiled()), box_(box), margin_(std::numeric_limits<double>::infinity()) {
  std::vector<char> used(box.size(), 0);
  for (const uint32_t atom : atoms)
    for (const uint32_t variable : violation.support(atom))
      used[variable] = 1;
  for (size_t variable = 0; variable < box.size(); ++variable)
    if (used[variable] && !box[variable].boolean)
      add_variable(variable);
  Sweep sweep(compiled_, state.values);
  if (variables_.size() <= most_variables && atoms.size() <= most_rows)
    for (const uint32_t atom : atoms)
      add_row(violation.goals()[atom], sweep);
}

void LinearModel::add_variable(size_t variable) {
  const Range& range = box_[variable];
  Unknown unknown{.variable = variable};
  unknown.number = state_.values.number[compiled_.slot_of_variable(variable)];
  unknown.low = numeric::double_of(range.format.at(range.low), range.format);
  unknown.high = numeric::double_of(range.format.at(range.high), range.format);
  if (!std::isfinite(unknown.number) || range.low >= range.high)
    return;
  unknown.scale =
      range.bounded() ? std::max((unknown.high - unknown.low) / 2, 1e-290) : std::max(std::fabs(unknown.number), 1.0);
  unknown.reach = range.bounded() ? 2 : 10;
  variables_.push_back(unknown);
}

void LinearModel::add_row(const Goal& goal, Sweep& sweep) {
  if (goal.sort.boolean || goal.a == Compiled::none || goal.b == Compiled::none)
    return;
  const double a = state_.values.number[goal.a], b = state_.values.number[goal.b];
  const Direction direction = direction_of(goal, a, b);
  if (!direction.at_most && !direction.at_least)
    return;
  const double sign = direction.at_most ? 1 : -1;
  Row row{.gradient = std::vector<double>(variables_.size()),
          .slack = sign * (a - b),
          .rounding = spacing(std::max(std::fabs(a), std::fabs(b)), goal.sort.format),
          .equality = direction.at_most && direction.at_least};
  if (!std::isfinite(row.slack)) { // nothing to hold on to
    if (!(a < b ? direction.at_most : a > b && direction.at_least))
      margin_ = -std::numeric_limits<double>::infinity();
    return;
  }
  std::vector<double> gradient;
  sweep.gradient(goal.a, goal.b, gradient);
  double length = 0;
  for (size_t j = 0; j < variables_.size(); ++j) {
    const Unknown& unknown = variables_[j];
    row.gradient[j] = sign * gradient[unknown.variable];
    row.rounding += std::fabs(row.gradient[j]) * spacing(unknown.number, box_[unknown.variable].format);
    length = std::max(length, std::fabs(row.gradient[j]));
  }
  if (!(length > 0) || !std::isfinite(length) || !std::isfinite(row.rounding))
    return;
  margin_ = std::min(margin_, row.equality ? 2 * (1 - std::fabs(row.slack) / row.rounding) : -row.slack / row.rounding);
  rows_.push_back(std::move(row));
}

std::optional<LinearModel::Step> LinearModel::step(double radius) const {
  const size_t n = variables_.size();
  MarginProgram program{.variables = n, .rows = {}, .weights = {}, .bounds = {}, .limit = 100};
  // Roundings are small: the margin is counted in the unit that makes the largest weight one.
  double unit = 0;
  std::vector<double> coefficients(n);
  const auto scaled = [&](const Row& row, double sign) {
    double length = 0;
    for (size_t j = 0; j < n; ++j) {
      coefficients[j] = sign * row.gradient[j] * variables_[j].scale * radius;
      length = std::max(length, std::fabs(coefficients[j]));
    }
    return length;
  };
  for (const Row& row : rows_)
    unit = std::max(unit, row.rounding / scaled(row, 1));
  for (const Row& row : rows_) {
    const double weight = row.rounding / unit;
    scaled(row, 1);
    program.add(coefficients, row.equality ? weight / 2 : weight, (row.equality ? row.rounding : 0) - row.slack);
    if (row.equality) {
      scaled(row, -1);
      program.add(coefficients, weight / 2, row.rounding + row.slack);
    }
  }
  for (size_t j = 0; j < n; ++j) {
    const Unknown& unknown = variables_[j];
    std::fill(coefficients.begin(), coefficients.end(), 0);
    coefficients[j] = 1;
    program.add(coefficients, 0, std::min(unknown.reach, (unknown.high - unknown.number) / (unknown.scale * radius)));
    coefficients[j] = -1;
    program.add(coefficients, 0, std::min(unknown.reach, (unknown.number - unknown.low) / (unknown.scale * radius)));
  }
  const MarginPoint found = widest_point(program);
  if (!found.solved)
    return std::nullopt;
  Step result{state_.point, found.margin / unit, 0, found.operations};
  for (size_t j = 0; j < n; ++j) {
    const Unknown& unknown = variables_[j];
    result.length = std::max(result.length, std::fabs(found.x[j]));
    result.point[unknown.variable] =
        box_[unknown.variable].nearest(unknown.number + unknown.scale * radius * found.x[j]);
  }
  return result;
}

} // namespace faultline::solve
