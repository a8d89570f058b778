#include "solve/newton/descent.h"

#include "ops/op.h"
#include "ops/table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace faultline::solve {

using State = Violation::State;

namespace {

using Vector = std::vector<double>;

constexpr int most_iterations = 60;
constexpr double precision = 1e-11; // for the margin, in units of the limit

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

// Replaces a symmetric matrix by its Cholesky factor. A pivot near zero is made large, which drops its direction.
void factor(std::vector<Vector>& matrix) {
  const size_t n = matrix.size();
  double largest = 0;
  for (size_t i = 0; i < n; ++i)
    largest = std::max(largest, matrix[i][i]);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j <= i; ++j) {
      double sum = matrix[i][j];
      for (size_t k = 0; k < j; ++k)
        sum -= matrix[i][k] * matrix[j][k];
      if (i == j)
        matrix[i][i] = sum > 1e-30 * largest ? std::sqrt(sum) : 1e64;
      else
        matrix[i][j] = sum / matrix[j][j];
    }
}

Vector solved(const std::vector<Vector>& lower, Vector right) {
  const size_t n = lower.size();
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < i; ++k)
      right[i] -= lower[i][k] * right[k];
    right[i] /= lower[i][i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; ++k)
      right[i] -= lower[k][i] * right[k];
    right[i] /= lower[i][i];
  }
  return right;
}

// Rows without zeros, stored consecutively.
struct SparseRows {
  std::vector<size_t> starts{0}, columns;
  Vector values;

  size_t size() const { return starts.size() - 1; }
  void add(const Vector& row) {
    for (size_t j = 0; j < row.size(); ++j)
      if (row[j] != 0) {
        columns.push_back(j);
        values.push_back(row[j]);
      }
    starts.push_back(columns.size());
  }
  double times(size_t i, const Vector& x) const {
    double sum = 0;
    for (size_t k = starts[i]; k < starts[i + 1]; ++k)
      sum += values[k] * x[columns[k]];
    return sum;
  }
  // result += factor * row
  void spread(size_t i, double factor, Vector& result) const {
    for (size_t k = starts[i]; k < starts[i + 1]; ++k)
      result[columns[k]] += factor * values[k];
  }
};

// min c.z subject to A z + s = b, s >= 0, with multipliers y >= 0: A'y + c = 0, s_i y_i = 0.
class InteriorPoint {
public:
  InteriorPoint(SparseRows a, Vector b, Vector c, Vector start)
      : a_(std::move(a)), b_(std::move(b)), c_(std::move(c)), z_(std::move(start)), s_(b_.size()), y_(b_.size(), 1) {
    for (size_t i = 0; i < b_.size(); ++i)
      s_[i] = std::max(b_[i] - a_.times(i, z_), 1e-3);
  }

  bool run() {
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      const double gap = dot(s_, y_) / double(s_.size());
      if (!std::isfinite(gap))
        return false;
      if (gap < precision * (1 + std::fabs(dot(c_, z_))))
        return true;
      step(gap);
      operations_ += operations_of_a_step();
    }
    return std::isfinite(dot(z_, z_));
  }

  const Vector& z() const { return z_; }
  uint64_t operations() const { return operations_; }

private:
  uint64_t operations_of_a_step() const {
    const uint64_t n = c_.size(), m = a_.size(), entries = a_.values.size();
    return n * n * n / 6 + entries * (entries / m + 8) + 4 * n * n + 16 * m;
  }

  void step(double gap) {
    const size_t m = a_.size(), n = c_.size();
    residual_ = Vector(m), dual_ = c_;
    for (size_t i = 0; i < m; ++i) {
      residual_[i] = b_[i] - a_.times(i, z_) - s_[i];
      a_.spread(i, y_[i], dual_);
    }
    normal_.assign(n, Vector(n, 0));
    for (size_t i = 0; i < m; ++i)
      for (size_t j = a_.starts[i]; j < a_.starts[i + 1]; ++j)
        for (size_t k = a_.starts[i]; k <= j; ++k)
          normal_[a_.columns[j]][a_.columns[k]] += a_.values[j] * a_.values[k] * y_[i] / s_[i];
    factor(normal_);
    // First directly to the solution; the length of that step determines the centring.
    Vector products(m);
    for (size_t i = 0; i < m; ++i)
      products[i] = -s_[i] * y_[i];
    direction(products);
    const double primal = longest(s_, ds_), dual = longest(y_, dy_);
    double reached = 0;
    for (size_t i = 0; i < m; ++i)
      reached += (s_[i] + primal * ds_[i]) * (y_[i] + dual * dy_[i]);
    const double ratio = reached / double(m) / gap, centring = ratio * ratio * ratio;
    for (size_t i = 0; i < m; ++i)
      products[i] = centring * gap - s_[i] * y_[i] - ds_[i] * dy_[i];
    direction(products);
    advance(0.99 * longest(s_, ds_), 0.99 * longest(y_, dy_));
  }

  // Solves for Newton's direction: A dz + ds = residual, A'dy = -dual, y ds + s dy = products.
  void direction(const Vector& products) {
    const size_t m = a_.size(), n = c_.size();
    Vector right(n);
    for (size_t j = 0; j < n; ++j)
      right[j] = -dual_[j];
    for (size_t i = 0; i < m; ++i)
      a_.spread(i, (y_[i] * residual_[i] - products[i]) / s_[i], right);
    dz_ = solved(normal_, right);
    ds_.resize(m), dy_.resize(m);
    for (size_t i = 0; i < m; ++i) {
      ds_[i] = residual_[i] - a_.times(i, dz_);
      dy_[i] = (products[i] - y_[i] * ds_[i]) / s_[i];
    }
  }

  static double longest(const Vector& value, const Vector& change) {
    double length = 1;
    for (size_t i = 0; i < value.size(); ++i)
      if (change[i] < 0)
        length = std::min(length, -value[i] / change[i]);
    return length;
  }

  void advance(double primal, double dual) {
    for (size_t j = 0; j < z_.size(); ++j)
      z_[j] += primal * dz_[j];
    for (size_t i = 0; i < s_.size(); ++i) {
      s_[i] = std::max(s_[i] + primal * ds_[i], 1e-200);
      y_[i] = std::max(y_[i] + dual * dy_[i], 1e-200);
    }
  }

  SparseRows a_;
  Vector b_, c_, z_, s_, y_;
  Vector residual_, dual_, dz_, ds_, dy_;
  std::vector<Vector> normal_;
  uint64_t operations_ = 0;
};

uint32_t chosen_part(const Goal& goal, const State& state, numeric::Rng* shuffle) {
  const uint32_t best = *std::min_element(goal.parts.begin(), goal.parts.end(), [&](uint32_t a, uint32_t b) {
    return state.distances[a] < state.distances[b];
  });
  return shuffle && state.distances[best] != 0 ? goal.parts[shuffle->below(goal.parts.size())] : best;
}

// The wanted relation of a and b: a - b <= 0, or >= 0, or both.
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
  if (below == equal) // cmp_ord, cmp_uno: without a direction
    return {};
  return equal ? Direction{true, true} : Direction{a<b, a> b};
}

double spacing(double value, BinaryFormat format) {
  return std::ldexp(std::max(std::fabs(value), 1e-290), 1 - format.significand_bits);
}

constexpr int most_steps = 16;
constexpr double least_radius = 1e-14;

// Descends for one choice of atoms. `best` is the point of least violation.
void descend_for(const Violation& violation, const Box& box, const std::vector<uint32_t>& atoms, State& best,
                 uint64_t end, const Deadline& deadline) {
  State current = best;
  double radius = 1;
  for (int i = 0; i < most_steps && current.score.unsatisfied != 0 && violation.work() < end && !deadline.passed();
       ++i) {
    const LinearModel model(violation, current, box, atoms);
    const auto step = model.usable() ? model.step(radius) : std::nullopt;
    if (!step || step->point == current.point)
      return;
    violation.add_work(step->operations / 4 + atoms.size() * violation.compiled().size() / 4);
    const Score before = current.score;
    violation.move(current, step->point);
    radius = std::min(radius, std::max(8 * radius * step->length, least_radius));
    if (!(current.score < before))
      radius = std::max(radius / 4, least_radius);
    if (current.score < best.score)
      best = current;
  }
}

} // namespace

void MarginProgram::add(std::vector<double> row, double weight, double bound) {
  rows.push_back(std::move(row));
  weights.push_back(weight);
  bounds.push_back(bound);
}

MarginPoint widest_point(const MarginProgram& program) {
  const size_t n = program.variables;
  SparseRows a;
  Vector b, c(n + 1, 0), start(n + 1, 0);
  double lowest = program.limit - 1;
  for (size_t i = 0; i < program.rows.size(); ++i) {
    Vector row = program.rows[i];
    row.push_back(program.weights[i]);
    // Scales rows to length one, so that slacks are comparable.
    const double length = std::sqrt(dot(row, row));
    if (!(length > 0) || !std::isfinite(length))
      continue;
    for (double& coefficient : row)
      coefficient /= length;
    b.push_back(program.bounds[i] / length);
    if (program.weights[i] > 0)
      lowest = std::min(lowest, program.bounds[i] / program.weights[i] - 1);
    a.add(row);
  }
  Vector top(n + 1, 0);
  top[n] = 1;
  a.add(top);
  b.push_back(program.limit);
  c[n] = -1;
  start[n] = lowest;
  InteriorPoint method(std::move(a), std::move(b), std::move(c), std::move(start));
  MarginPoint result;
  result.solved = method.run();
  result.x.assign(method.z().begin(), method.z().end() - 1);
  result.margin = method.z().back();
  result.operations = method.operations();
  return result;
}

using Slot = Compiled::Slot;

void Sweep::gradient(Slot a, Slot b, std::vector<double>& result) {
  const Slot last = std::max(a, b);
  std::fill(adjoints_.begin(), adjoints_.begin() + last + 1, 0);
  adjoints_[a] += 1;
  adjoints_[b] -= 1;
  result.assign(compiled_.variable_count(), 0);
  for (Slot slot = last + 1; slot-- > 0;)
    if (adjoints_[slot] != 0 && compiled_.at(slot).varies)
      spread(slot, result);
}

void Sweep::spread(Slot slot, std::vector<double>& result) {
  const Compiled::Instruction& code = compiled_.at(slot);
  const double adjoint = adjoints_[slot];
  const auto& operands = code.operands;
  if (code.kernel == Compiled::Kernel::variable) {
    result[compiled_.variable_of(slot)] += adjoint;
  } else if (code.sort.boolean) {
    return;
  } else if (code.operand_sort.boolean) { // a choice
    adjoints_[values_[operands[0]] != 0 ? operands[1] : operands[2]] += adjoint;
  } else if (ops::rounds_to_integer(code.op) || ops::is_to_int(code.op)) {
    adjoints_[operands[0]] += adjoint;
  } else {
    const auto value = [&](int i) { return i < code.operand_count ? values_[operands[i]] : 0; };
    const ops::Gradient partials = ops::partials(code.op, value(0), value(1), value(2), values_[slot]);
    for (int i = 0; i < code.operand_count; ++i)
      adjoints_[operands[i]] += adjoint * partials[i];
  }
}

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
  if (!std::isfinite(row.slack)) { // no usable value
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
  // Roundings are small: the unit of the margin makes the largest weight one.
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

void descend(const Violation& violation, const Box& box, State& state, uint64_t work, numeric::Rng* shuffle,
             const Deadline& deadline) {
  constexpr int most_choices = 3;
  const uint64_t end = violation.work() + work;
  std::vector<uint32_t> before;
  for (int i = 0; i < most_choices && state.score.unsatisfied != 0; ++i) {
    std::vector<uint32_t> atoms = chosen_atoms(violation, state, shuffle);
    if (atoms == before)
      return;
    descend_for(violation, box, atoms, state, end, deadline);
    before = std::move(atoms);
  }
}

} // namespace faultline::solve
