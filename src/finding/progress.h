// What is going on in a hunt, for a progress line.
#pragma once

#include <cstdint>
#include <string>

namespace faultline::finding {

struct Progress {
  std::string function; // of the target that made progress last
  size_t targets_done = 0;
  size_t targets = 0;
  uint64_t evaluations = 0; // all targets
  uint64_t reached = 0;     // operations of the program of that target that have been executed, of `sites`
  uint64_t sites = 0;
  double seconds = 0;      // since the hunt began
  double worst_error = 0;  // verified, so far
  std::string worst_where; // function, file:line
  std::string phase = {};  // what is done in the function: "judging"; empty: searching
};

} // namespace faultline::finding
