// The functions of a program, for faultline list. Sites are counted without running anything.
#pragma once

#include "finding/listed_target.h"
#include "hunt/options.h"

#include <vector>

namespace faultline::campaign {

struct Listing {
  std::vector<finding::ListedTarget> targets;
  frontend::CaptureSummary captured;
};

// Throws frontend::UserError.
Listing list(const Options& options);

} // namespace faultline::campaign
