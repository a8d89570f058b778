// The functions of a program, for faultline list. Sites are counted without running anything.
#pragma once

#include "campaign/options.h"
#include "finding/listed_target.h"

#include <vector>

namespace faultline::campaign {

// Throws frontend::UserError.
std::vector<finding::ListedTarget> list(const Options& options);

} // namespace faultline::campaign
