// Reader: comparisons with a rounded constant that the run found equal. M_PI stands for pi: atan2(0, -1) > M_PI is false
// for floats, as whoever wrote it wants it, and true in exact arithmetic, since M_PI is a little less than pi.
#pragma once

#include "tape/tape.h"

#include <vector>

namespace faultline::tape {

std::vector<uint32_t> ties_with_constants(const Tape& tape);

} // namespace faultline::tape
