// Runs solvers in separate processes: an external solver may crash, exhaust memory, or ignore the clock, and several
// solvers can work on one question in parallel.
#pragma once

#include "solve/solver.h"

#include <cstdint>
#include <functional>

namespace faultline::solve {

struct ChildLimits {
  double seconds = 10;                 // after this time it is killed
  uint64_t memory = uint64_t{4} << 30; // in addition to the use of this process
};

using Work = std::function<Result()>;

// Returns the work's result, or unknown with a reason if the child dies, throws or is killed.
Result run_in_child(const Work& work, const ChildLimits& limits);

// Runs all works in parallel. Returns the first answer other than unknown, and kills the others. Without such an
// answer, returns the last reason.
Result race(const std::vector<Work>& works, const ChildLimits& limits);

} // namespace faultline::solve
