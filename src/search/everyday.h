// Everyday inputs: those that people use code on. Each float is 0 or has a magnitude of 1e-9 to 1e9 (binary32: 1e-6 to
// 1e6), within the ranges that were given; a range that has nothing of that but 0 counts as everyday itself. All
// integers are everyday. Where it is known what an input is in practice (--everyday, --seen), that is everyday instead.
#pragma once

#include "constraint/path_condition.h"
#include "search/space.h"

#include <vector>

namespace faultline::search {

bool is_everyday(const Dimension& dimension, long double value);
bool is_everyday(const Space& space, const exec::Input& input);

// Does any range go beyond the everyday values at its ends? If not, there is no rest to be searched after it.
bool reaches_beyond_everyday(const Space& space);

// The part of the space that has the everyday inputs only.
Space everyday_part(const Space& space);

// The ranges cut at the ends of the everyday values: what a solver is asked first.
std::vector<constraint::InputRange> everyday_ranges(std::vector<constraint::InputRange> ranges, const Space& space);

} // namespace faultline::search
