// A small linear program: the point of a polytope that is as far from its walls as can be.
//
//     maximise t  subject to  row . x + weight * t <= bound,   t <= limit
//
// It always has a solution with t low enough; t > 0 means that there is a point inside with room for rounding errors on
// every side. That is what a system of inequalities over floats needs: a vertex, the answer of the simplex method, lies
// on the walls, where roundings decide.
//
// Solved by an interior-point method (Mehrotra 1992) on dense rows, so for tens of variables and hundreds of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace faultline::solve {

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
