// Newton-like steps in all variables from a start toward a model: sequential linear programming in a trust region.
//
// Every step is taken, because Newton's method need not descend on its way. The region shrinks when a step does not
// help, and follows the length of the steps, so that the last steps are exact to fractions of a float. (Taking only
// steps that raise the margin was tried: it gets stuck on the worst row while other rows are still far away.)
#pragma once

#include "numeric/random.h"
#include "solve/newton/compiled.h"
#include "solve/newton/starts.h"
#include "solve/newton/violation.h"
#include "solve/solver.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace faultline::solve {

// The goals near a point, linearised in all variables.
//
// First the atoms to satisfy are chosen: all parts of a conjunction, and the nearest or a random part of an
// alternative. Each comparison a <= b among them becomes a row, the gradient of a - b, by a reverse sweep over the
// compiled program with the partial derivatives of the table of operations; operations that round to an integer count
// as the identity. Distances are in roundings: the spacing of the floats at a and b, and the effect of the spacing of
// the variables. The margin of a point is the least distance over the rows, negative outside. Equalities are rows in
// both directions with a tolerance of one rounding.
//
// `step` returns the point of the largest margin within a trust region and the box. One step is exact for a linear
// system; otherwise this is sequential linear programming. The program uses units of the radius, so a small radius also
// gives a step that is exact to small fractions of a float.

// `shuffle`, if not null, chooses among alternatives.
std::vector<uint32_t> chosen_atoms(const Violation& violation, const Violation::State& state, numeric::Rng* shuffle);

class LinearModel {
public:
  struct Step {
    Model point;
    double margin = 0; // predicted at the new point
    double length = 0; // of the largest change, in radii
    uint64_t operations = 0;
  };

  LinearModel(const Violation& violation, const Violation::State& state, const Box& box,
              const std::vector<uint32_t>& atoms);

  // False if nothing can be linearised or the rows are too large for dense storage.
  bool usable() const { return !rows_.empty() && variables_.size() <= most_variables && rows_.size() <= most_rows; }
  double margin() const { return margin_; }

  // A radius of 1 allows each variable to change by ten times its magnitude, or within its range.
  std::optional<Step> step(double radius) const;

  static constexpr size_t most_variables = 160, most_rows = 1500;

private:
  struct Row {
    std::vector<double> gradient; // by the indices of variables_
    double slack = 0;             // must be at most 0
    double rounding = 0;
    bool equality = false; // must also be at least 0
  };
  struct Unknown {
    size_t variable = 0;
    double number = 0, low = 0, high = 0;
    double scale = 0, reach = 0;
  };

  void add_variable(size_t variable);
  void add_row(const Goal& goal, class Sweep& sweep);

  const Violation::State& state_;
  const Compiled& compiled_;
  const Box& box_;
  std::vector<Unknown> variables_;
  std::vector<Row> rows_;
  double margin_ = 0;
};

// Derivatives of a compiled program by a reverse sweep.
class Sweep {
public:
  Sweep(const Compiled& compiled, const Compiled::Values& values)
      : compiled_(compiled), values_(values.number), adjoints_(compiled.size(), 0) {}

  // Computes d (a - b) / d variables into `result`. Operations that round to an integer have the derivative 1, which
  // gives a direction, unlike 0. A choice uses its current branch.
  void gradient(Compiled::Slot a, Compiled::Slot b, std::vector<double>& result);

private:
  void spread(Compiled::Slot slot, std::vector<double>& result);

  const Compiled& compiled_;
  const std::vector<double>& values_;
  std::vector<double> adjoints_;
};

// Moves `state` to the point of least violation seen. `shuffle` as for chosen_atoms.
void descend(const Violation& violation, const Box& box, Violation::State& state, uint64_t work, numeric::Rng* shuffle,
             const Deadline& deadline);

// A small linear program: the point of a polytope that is farthest from its boundary.
//
//     maximise t  subject to  row . x + weight * t <= bound,   t <= limit
//
// A solution always exists for small enough t; t > 0 means that there is an interior point with room for rounding
// errors on every side. Systems of inequalities over floats need this: a vertex, the answer of the simplex method, is
// on the boundary, where roundings decide.
//
// Solved by an interior-point method (Mehrotra 1992) on dense rows, for tens of variables and hundreds of rows.
struct MarginProgram {
  std::size_t variables = 0;
  std::vector<std::vector<double>> rows; // each has `variables` coefficients
  std::vector<double> weights, bounds;
  double limit = 1;

  void add(std::vector<double> row, double weight, double bound);
};

struct MarginPoint {
  std::vector<double> x;
  double margin = 0;
  bool solved = false;
  uint64_t operations = 0; // floating-point operations, approximately
};

MarginPoint widest_point(const MarginProgram& program);

} // namespace faultline::solve
