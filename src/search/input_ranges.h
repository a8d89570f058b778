// The dimensions of a space as constraints know them.
#pragma once

#include "constraint/path_condition.h"
#include "search/space.h"

namespace faultline::search {

std::vector<constraint::InputRange> input_ranges(const Space& space, const frontend::Target& target);

} // namespace faultline::search
