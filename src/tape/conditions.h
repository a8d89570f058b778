// Reader: the atomic condition of each operation (ATOMU, section 4.2): by how much it amplifies a relative error of an
// operand. Native arithmetic only; no oracle.
#pragma once

#include "tape/tape.h"

#include <vector>

namespace faultline::tape {

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

} // namespace faultline::tape
