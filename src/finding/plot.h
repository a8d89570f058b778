// How the error of an output changes with one input while the others stay as they are in the finding: what a report
// draws. Plain data, filled by campaign/plots.h.
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
};

struct Plot {
  std::string input;
  std::vector<PlotPoint>
      around;                   // the neighbours one by one, then ever further apart, to about twice and half the value
  std::vector<PlotPoint> range; // the whole search range, in equal steps of the order of floats
};

struct Plots {
  std::vector<Plot> inputs;
  std::string note; // what is missing, and why
};

} // namespace faultline::finding
