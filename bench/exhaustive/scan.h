// All 2^32 floats, on all processors: the inputs on which a function is wrong by most.
#pragma once

#include "subject.h"
#include "worst.h"

namespace faultline::bench {

// The quick formula finds the worst few; MPFR says which of them is the worst, and how bad. Throws std::runtime_error
// if the two do not agree: on one of these, or on one of some thousand floats from everywhere.
Worst worst_of_all_floats(const Subject& subject);

} // namespace faultline::bench
