// How strange inputs and runs are to a reader: tests should be made of inputs that a person would have thought of, as
// far as a path has such inputs. Everyday inputs (search/everyday.h) with few digits, small exponents and no signs are
// the least strange.
#pragma once

#include "search/space.h"
#include "tape/path.h"

#include <span>

namespace faultline::search {

// How strange a value, an input and a run are to a reader: 0 is 0, 3 is less than 1234.5, and one input that is not
// everyday is more than all that is. A run is strange also if it ends otherwise than by returning, if what it returns
// is not finite, and if it compares infinities or NaN: then its path is taken for no good reason.
inline constexpr double strange = 1e3; // from here on a run has something that a reader stumbles over
double strangeness(const Dimension& dimension, long double value);
double strangeness(const Space& space, const exec::Input& input);
double strangeness(const Space& space, const exec::Input& input, const tape::Tape& tape,
                   std::span<const tape::Branch> decisions, exec::Outcome outcome);

} // namespace faultline::search
