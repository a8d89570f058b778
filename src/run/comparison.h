// Runs two twins at the same time, and compares what they compute (run/alignment.h).
#pragma once

#include "model/run_comparison.h"
#include "run/alignment.h"
#include "run/twin.h"

#include <array>
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

// The errors of the second run, whose program computes the same as the first one's in another precision.
struct MeasuredErrors {
  std::vector<double> outputs;          // relative, of the numbers that both print
  std::array<uint64_t, 2> printed = {}; // numbers
  std::vector<Excess> excesses;         // beyond the tolerance, the first ones first
  std::array<int, 2> status = {}, signal = {};
};

// Both runs leave no trace (as QuietRun), and are ended after this CPU time.
MeasuredErrors measure_errors(const ComparedRun& first, const ComparedRun& second, double tolerance, off_t input,
                              double seconds);

} // namespace faultline::run
