// Steps of Newton's kind in all variables, from a start toward a model: sequential linear programming in a trust
// region.
//
// Every step is taken, for Newton's method need not descend on its way; but the region shrinks when a step does not
// help, and follows the length of the steps, so that the last ones are exact to fractions of a float. (To take only
// steps that raise the margin was tried: it gets stuck on the worst row where the other rows still have far to go.)
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

// The goals near a point, linearised in all variables at once.
//
// The atoms to satisfy are chosen first: all parts of what must hold, and of alternatives the nearest, or one at
// random. Each comparison a <= b among them becomes a row, the gradient of a - b, by a reverse sweep over the compiled
// program with the partials of the table of operations; operations that round to an integer pass for the identity.
// Distances are counted in roundings: the spacing of the floats at a and b, and what the spacing of the variables there
// makes of them. The margin of a point is the least distance over the rows, negative outside; equalities are rows in
// both directions with one rounding as room.
//
// `step` gives the point of the largest margin within a trust region and the box (solve/newton/descent.h): exact
// in one step if the system is linear, sequential linear programming otherwise. The program is stated in units of the
// radius, so a small radius also gives a step that is exact to small fractions of a float.

// `shuffle`, if there is one, draws among alternatives.
std::vector<uint32_t> chosen_atoms(const Violation& violation, const Violation::State& state, numeric::Rng* shuffle);

class LinearModel {
public:
  struct Step {
    constraint::Model point;
    double margin = 0; // that the model expects there
    double length = 0; // of the longest change, in radii
    uint64_t operations = 0;
  };

  LinearModel(const Violation& violation, const Violation::State& state, const Box& box,
              const std::vector<uint32_t>& atoms);

  // False if nothing can be linearised, or there is too much for dense rows.
  bool usable() const { return !rows_.empty() && variables_.size() <= most_variables && rows_.size() <= most_rows; }
  double margin() const { return margin_; }

  // A radius of 1 allows each variable to change by ten times its own size, or within its range.
  std::optional<Step> step(double radius) const;

  static constexpr size_t most_variables = 160, most_rows = 1500;

private:
  struct Row {
    std::vector<double> gradient; // of each of variables_
    double slack = 0;             // shall be at most 0
    double rounding = 0;
    bool equality = false; // shall be at least 0 too
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

  // d (a - b) / d variables, into `result`. Operations that round to an integer have the derivative 1: that says where
  // to go, which 0 does not. Of a choice, the branch that is taken now.
  void gradient(Compiled::Slot a, Compiled::Slot b, std::vector<double>& result);

private:
  void spread(Compiled::Slot slot, std::vector<double>& result);

  const Compiled& compiled_;
  const std::vector<double>& values_;
  std::vector<double> adjoints_;
};

// Moves `state` to the point of least violation that was seen. `shuffle` as in linear_model.h.
void descend(const Violation& violation, const Box& box, Violation::State& state, uint64_t work, numeric::Rng* shuffle,
             const Deadline& deadline);

// A small linear program: the point of a polytope that is as far from its walls as can be.
//
//     maximise t  subject to  row . x + weight * t <= bound,   t <= limit
//
// It always has a solution with t low enough; t > 0 means that there is a point inside with room for rounding errors on
// every side. That is what a system of inequalities over floats needs: a vertex, the answer of the simplex method, lies
// on the walls, where roundings decide.
//
// Solved by an interior-point method (Mehrotra 1992) on dense rows, so for tens of variables and hundreds of rows.
struct MarginProgram {
  std::size_t variables = 0;
  std::vector<std::vector<double>> rows; // `variables` coefficients each
  std::vector<double> weights, bounds;
  double limit = 1;

  void add(std::vector<double> row, double weight, double bound);
};

struct MarginPoint {
  std::vector<double> x;
  double margin = 0;
  bool solved = false;
  uint64_t operations = 0; // of floating point, about
};

MarginPoint widest_point(const MarginProgram& program);

} // namespace faultline::solve
