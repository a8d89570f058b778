// Reader: comparisons with a constant that stands for a number no float is, which the run found equal. M_PI stands for
// pi: atan2(0, -1) > M_PI is false for floats, as whoever wrote it wants it, and true in exact arithmetic, since M_PI
// is a little less than pi.
#pragma once

#include "numeric/bigfloat.h"
#include "tape/tape.h"

#include <vector>

namespace faultline::tape {

// The records.
std::vector<uint32_t> ties_with_constants(const Tape& tape);

// Is this the number that the constant of the comparison stands for: a multiple of pi / 4, e, log 2, sqrt 2? To far
// more digits than the format has: what was only rounded to the constant is another number.
bool is_what_is_meant(const Tape& tape, uint32_t comparison, mpfr_srcptr exact);

} // namespace faultline::tape
