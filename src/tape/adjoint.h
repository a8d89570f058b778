// Reader: one reverse sweep over the tape. The adjoint of a record is d(output) / d(its value); with the local rounding
// errors it gives a signed first-order estimate of the output's error, and the share of each operation in it, without
// an oracle.
#pragma once

#include "tape/tape.h"

#include <span>
#include <vector>

namespace faultline::tape {

// One entry a record, for the output that record `output` made. `values` replaces the recorded values of all records
// where given (high-precision values, rounded: derivatives of the exact computation instead of the rounded one).
std::vector<double> adjoint(const Tape& tape, uint32_t output, std::span<const double> values = {});

struct ErrorEstimate {
  double absolute = 0;              // exact minus computed, to first order
  std::vector<double> contribution; // of each record: adjoint times local rounding error
};
ErrorEstimate estimate_error(const Tape& tape, uint32_t output);

// The condition number of the problem at this input: the sum of |x_i * d(output)/d(x_i) / output| over the float
// inputs.
double problem_condition(const Tape& tape, uint32_t output, std::span<const double> adjoints,
                         std::span<const double> values = {});

} // namespace faultline::tape
