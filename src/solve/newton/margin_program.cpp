#include "solve/newton/margin_program.h"

#include <algorithm>
#include <cmath>

namespace faultline::solve {

namespace {

using Vector = std::vector<double>;

constexpr int most_iterations = 60;
constexpr double precision = 1e-11; // of the margin, in units of the limit

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

// Cholesky's factor in place of a symmetric matrix; a pivot that is nearly zero is made large, which drops its
// direction.
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

// Rows without their zeros, one after the other.
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
    // First straight to the solution; how far that gets says how much to centre.
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

  // Newton's direction for A dz + ds = residual, A'dy = -dual, y ds + s dy = products.
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
    // Rows are scaled to length one, so that slacks are alike.
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

} // namespace faultline::solve
