// An input with as many zeros as possible: of an array most values do not matter.
#pragma once

#include "search/space.h"

#include <functional>

namespace faultline::search {

// All cells that are not held at once, then halves, quarters, ... of them, to 0 or the nearest value that the space
// has; what is accepted stays. Nothing is tried that changes nothing.
exec::Input with_zeros(const Space& space, exec::Input input, const std::function<bool(const exec::Input&)>& accepts);

} // namespace faultline::search
