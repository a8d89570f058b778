// Reader: roundings to an integer by which an argument is reduced: k = rint(x / c), then x - k * c. Whether the
// neighbour above or below is taken where x / c lies half-way between does not matter, as the rest makes up for it.
#pragma once

#include "tape/tape.h"

#include <vector>

namespace faultline::tape {

// The records of the roundings (by rint and the like, by a conversion to an integer, or by adding a large constant).
std::vector<uint32_t> reduction_steps(const Tape& tape);

} // namespace faultline::tape
