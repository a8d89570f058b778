// Reader: one reverse sweep over the tape. The adjoint of a record is d(output) / d(its value). With the local rounding
// errors it gives a signed first-order estimate of the output's error and of each operation's share in it, without an
// oracle.
#pragma once

#include "tape/tape.h"

#include <span>
#include <vector>

namespace faultline::tape {

// Returns one entry per record, for the output of record `output`. `values`, if given, replaces all recorded values
// (with rounded high-precision values: derivatives of the exact computation).
std::vector<double> adjoint(const Tape& tape, uint32_t output, std::span<const double> values = {});

struct ErrorEstimate {
  double absolute = 0;              // exact minus computed, to first order
  std::vector<double> contribution; // of each record: adjoint times local rounding error
};
ErrorEstimate estimate_error(const Tape& tape, uint32_t output);

// Returns the condition number of the problem at this input: the sum of |x_i * d(output)/d(x_i) / output| over the
// float inputs.
double problem_condition(const Tape& tape, uint32_t output, std::span<const double> adjoints,
                         std::span<const double> values = {});

// Reader: the atomic condition of each operation (ATOMU, section 4.2): the factor by which it amplifies a relative
// error of an operand. Uses native arithmetic only, no oracle.

// Returns the largest condition over the operands of one record. Inputs, constants and leaves count too, since ATOMU
// considers operations alone.
double condition(const Tape& tape, uint32_t index);

// For each site: the largest condition over its executions on this tape (0 if it did not run), and its record.
// Considers potentially unstable operations only. Resizes `worst` to the number of sites.
struct SiteCondition {
  double condition = 0;
  uint32_t record = 0;
};
void worst_conditions(const Tape& tape, std::vector<SiteCondition>& worst);

// Returns the same for one site.
SiteCondition worst_condition(const Tape& tape, uint32_t site);

// Reader: the local rounding error of each operation: the exact value minus the recorded one, for the recorded
// operands. Uses error-free transformations where they are exact (+ - * / sqrt fma in their own format), MPFR for libm
// calls.

// Returns one entry per record: 0 for leaves, inputs, comparisons and exact operations, and where the result is not
// finite.
std::vector<double> rounding(const Tape& tape);

double rounding(const Tape& tape, uint32_t index);

} // namespace faultline::tape
