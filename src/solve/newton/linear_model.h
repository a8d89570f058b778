// The goals near a point, linearised in all variables at once.
//
// The atoms to satisfy are chosen first: all parts of what must hold, and of alternatives the nearest, or one at
// random. Each comparison a <= b among them becomes a row, the gradient of a - b, by a reverse sweep over the compiled
// program with the partials of the table of operations; operations that round to an integer pass for the identity.
// Distances are counted in roundings: the spacing of the floats at a and b, and what the spacing of the variables there
// makes of them. The margin of a point is the least distance over the rows, negative outside; equalities are rows in
// both directions with one rounding as room.
//
// `step` gives the point of the largest margin within a trust region and the box (solve/newton/margin_program.h): exact
// in one step if the system is linear, sequential linear programming otherwise. The program is stated in units of the
// radius, so a small radius also gives a step that is exact to small fractions of a float.
#pragma once

#include "numeric/random.h"
#include "solve/newton/box.h"
#include "solve/newton/violation.h"

#include <optional>

namespace faultline::solve {

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

} // namespace faultline::solve
