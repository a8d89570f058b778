// The functions that are hunted in, with their settings: what the options come to when they meet a program.
#pragma once

#include "hunt/options.h"
#include "hunt/targets/extents.h"

#include <vector>

namespace faultline::campaign {

struct HuntTargets {
  frontend::Program program;
  std::vector<frontend::Target> targets;
  std::vector<frontend::Target> refused;   // named beside others, and unsuitable
  std::vector<finding::Settings> settings; // one a target
  std::vector<Measured> measured;          // the same, if they were measured
};

// Throws frontend::UserError: no function is suitable, or what is said of one of them makes no sense. Arrays of which
// nobody says how long they are, are measured (hunt/targets/extents.h).
HuntTargets select_targets(const Options& options, const std::atomic<bool>& stop, const ExtentMemory* memory = nullptr);
// Before that: those of them that are not suitable yet have to be measured.
HuntTargets select_unmeasured_targets(const Options& options);

} // namespace faultline::campaign
