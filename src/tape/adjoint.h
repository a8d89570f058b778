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

// Reader: the atomic condition of each operation (ATOMU, section 4.2): by how much it amplifies a relative error of an
// operand. Native arithmetic only; no oracle.

// The largest condition over the operands of one record. Operands that are inputs, constants or leaves count too: ATOMU
// looks at operations alone.
double condition(const Tape& tape, uint32_t index);

// For each site, the largest condition over its executions on this tape (0 if it did not run), and the record where.
// Only potentially unstable operations are looked at. `worst` is resized to the number of sites.
struct SiteCondition {
  double condition = 0;
  uint32_t record = 0;
};
void worst_conditions(const Tape& tape, std::vector<SiteCondition>& worst);

// The same for one site.
SiteCondition worst_condition(const Tape& tape, uint32_t site);

// Reader: the local rounding error of each operation, exact value minus recorded value for the recorded operands.
// Error-free transformations where they are exact (+ - * / sqrt fma in their own format), MPFR for libm calls.

// One entry a record, 0 for leaves, inputs, comparisons and exact operations, and where the result is not finite.
std::vector<double> rounding(const Tape& tape);

// Of one record.
double rounding(const Tape& tape, uint32_t index);

} // namespace faultline::tape
