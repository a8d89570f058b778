// How an output and its error change with one input while the others keep the values of the finding. Plain data, filled
// by hunt/plots.h.
//
// Plots are not in the findings' JSON: the number of points depends on how fast the samples are, and equal hunts must
// give equal files.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace faultline::finding {

struct PlotPoint {
  std::string value; // of the input, decimal
  double offset = 0; // distance from the finding's value in floats
  // Relative, by the oracle of the finding. NaN: the call did not return, or the oracle has no result.
  double error = std::numeric_limits<double>::quiet_NaN();
  double ulps = std::numeric_limits<double>::quiet_NaN();   // the same error
  double remedy = std::numeric_limits<double>::quiet_NaN(); // relative, with the diagnosis's remedy; NaN: unknown
  // Of the output, decimal, a few digits; empty: unknown. The exact value may be outside of all formats: "1.2e+400".
  std::string computed = {}, exact = {};
};

struct Plot {
  std::string input;
  std::vector<PlotPoint>
      around; // the neighbours one by one, then with growing distances, to about twice and half the value
  std::vector<PlotPoint> range; // the whole search range, denser at everyday numbers
};

struct Plots {
  std::vector<Plot> inputs;
  std::string note;        // what is missing, and why
  std::string output = {}; // the output whose values are plotted
};

} // namespace faultline::finding
