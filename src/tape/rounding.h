// Reader: the local rounding error of each operation, exact value minus recorded value for the recorded operands.
// Error-free transformations where they are exact (+ - * / sqrt fma in their own format), MPFR for libm calls.
#pragma once

#include "tape/tape.h"

#include <vector>

namespace faultline::tape {

// One entry a record, 0 for leaves, inputs, comparisons and exact operations, and where the result is not finite.
std::vector<double> rounding(const Tape& tape);

// Of one record.
double rounding(const Tape& tape, uint32_t index);

} // namespace faultline::tape
