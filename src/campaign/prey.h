// The functions that are hunted in, with their settings: what the options come to when they meet a program.
#pragma once

#include "campaign/options.h"

#include <vector>

namespace faultline::campaign {

struct Prey {
  frontend::Program program;
  std::vector<frontend::Target> targets;
  std::vector<frontend::Target> refused;   // named beside others, and unsuitable
  std::vector<finding::Settings> settings; // one a target
};

// Throws frontend::UserError: no function is suitable, or what is said of one of them makes no sense.
Prey prey_of(const Options& options);

} // namespace faultline::campaign
