// Runs two twins at the same time, and compares what they compute (run/alignment.h).
#pragma once

#include "model/run_comparison.h"
#include "run/twin.h"

#include <string>
#include <vector>

namespace faultline::run {

struct ComparedRun {
  Twin twin = {};                            // with TwinOptions::values
  std::vector<std::string> command = {};     // as the user would type it
  std::vector<std::string> environment = {}; // NAME=VALUE, added
};

// The first run has the terminal. The second one gets a copy of the input, unless that is a terminal, and its output is
// dropped. Throws UserError if a twin cannot be started.
model::RunComparison compare_runs(const ComparedRun& first, const ComparedRun& second);

} // namespace faultline::run
