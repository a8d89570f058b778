// Reader: rounding that the code measures.
//
// Two-sums, Dekker's and Veltkamp's splittings, double-double arithmetic and compensated sums compute what a rounding
// has cut off: s = a + b, then (a - s) + b. By the rules of algebra that is zero, so exact arithmetic, carried out
// without thought, makes it zero, and the code's own value, which is right, would look wrong. Nobody writes down a
// zero in so many operations unless the rounding is meant.
#pragma once

#include "tape/tape.h"

#include <vector>

namespace faultline::tape {

// The records whose roundings such terms measure, in the order of their execution: exact arithmetic that rounds there,
// and nowhere else, gives the terms that the code means.
std::vector<uint32_t> measured_roundings(const Tape& tape);

} // namespace faultline::tape
