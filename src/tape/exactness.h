// Reader: does a value deviate from what exact arithmetic has at its place?
#pragma once

#include "tape/tape.h"

#include <cstddef>

namespace faultline::tape {

// To first order, from the roundings of the operations that the record depends on: 1/x - 1/x does not deviate, whatever
// x is. A record that depends on more than `most` operations does: hardly a computation of that length is exact.
bool deviates(const Tape& tape, uint32_t record, size_t most = 64);

} // namespace faultline::tape
