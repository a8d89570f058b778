// Reader: the tolerances by which loops stop: constants, or values that no input has a part in, in the conditions of
// their exits, on their own (term < 1e-15) or as factors (fabs(dx) < 1e-15 * fabs(x)). What they are compared with
// depends on the inputs, and they stay the same from turn to turn: a random number that a loop rejects does not.
#pragma once

#include "tape/tape.h"

#include <vector>

namespace faultline::tape {

struct Tolerance {
  uint32_t site = 0;
  int operand = 0;       // of the operation there
  uint32_t exit = 0;     // the site of the comparison that it is for
  uint32_t compared = 0; // the last record of that

  bool operator==(const Tolerance&) const = default;
};

// Each once, in the order of the sites.
std::vector<Tolerance> tolerances(const Tape& tape);

} // namespace faultline::tape
