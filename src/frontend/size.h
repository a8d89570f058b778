// --size NAME=N: is there a parameter of that name?
#pragma once

#include "frontend/target.h"

#include <span>

namespace faultline::frontend {

// Throws UserError for a name that no parameter of the targets has. Targets that are not suitable count: a wrong name
// may be the reason.
void check_sizes(std::span<const Target> targets, const Sizes& sizes);

} // namespace faultline::frontend
