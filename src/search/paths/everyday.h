// Inputs that a person would have thought of: what tests should be made of, as far as a path has such inputs.
//
// A float is everyday if it is 0 or has a magnitude of 1e-9 to 1e9 (binary32: 1e-6 to 1e6); the numbers are those of
// the definition in docs/constraints.md. Of a dimension whose range has nothing of that every value is everyday, and of
// integers too. Among everyday inputs those with few digits, small exponents and no signs are the least strange.
#pragma once

#include "constraint/path_condition.h"
#include "search/space.h"
#include "tape/path.h"

#include <span>
#include <utility>
#include <vector>

namespace faultline::search {

bool is_everyday(const Dimension& dimension, long double value);
bool is_everyday(const Space& space, const exec::Input& input);

// The ranges with those of floats cut at the largest everyday values: what a solver is asked first.
std::vector<constraint::InputRange> everyday_ranges(std::vector<constraint::InputRange> ranges, const Space& space);

// How strange a value, an input and a run are to a reader: 0 is 0, 3 is less than 1234.5, and one input that is not
// everyday is more than all that is. A run is strange also if it ends otherwise than by returning, if what it returns
// is not finite, and if it compares infinities or NaN: then its path is taken for no good reason.
inline constexpr double strange = 1e3; // from here on a run has something that a reader stumbles over
double strangeness(const Dimension& dimension, long double value);
double strangeness(const Space& space, const exec::Input& input);
double strangeness(const Space& space, const exec::Input& input, const tape::Tape& tape,
                   std::span<const tape::Branch> decisions, exec::Outcome outcome);

} // namespace faultline::search
