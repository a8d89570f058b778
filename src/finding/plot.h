// How an output and its error change with one input while the others stay as they are in the finding: what a report
// draws. Plain data, filled by hunt/plots.h.
//
// Plots stay out of the findings' JSON: how many points there are depends on the time that the samples took, and equal
// hunts must give equal files.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace faultline::finding {

struct PlotPoint {
  std::string value; // of the input, decimal
  double offset = 0; // how many floats it lies above the finding's value
  // Relative, by the oracle of the finding. NaN: the call did not return, or the oracle could not tell.
  double error = std::numeric_limits<double>::quiet_NaN();
  double ulps = std::numeric_limits<double>::quiet_NaN();   // the same error
  double remedy = std::numeric_limits<double>::quiet_NaN(); // relative, with the diagnosis's remedy; NaN: not known
  // Of the output, decimal, a few digits; empty: not known. The exact one may be beyond all formats: "1.2e+400".
  std::string computed = {}, exact = {};
};

struct Plot {
  std::string input;
  std::vector<PlotPoint>
      around;                   // the neighbours one by one, then ever further apart, to about twice and half the value
  std::vector<PlotPoint> range; // the whole search range, everyday numbers more densely
};

struct Plots {
  std::vector<Plot> inputs;
  std::string note;        // what is missing, and why
  std::string output = {}; // whose values they are
};

} // namespace faultline::finding
