// Reader: the decisions of a run (comparisons, conversions to integers and, in a session that records them, integer
// conditions), and how they came out. With the operations before them they are the path condition.
#pragma once

#include "runtime/lift.h"
#include "tape/tape.h"

#include <optional>
#include <span>
#include <vector>

namespace faultline::tape {

struct Branch {
  uint32_t record = 0;
  uint32_t site = 0;
  int64_t outcome = 0; // 0 or 1 of a comparison, the integer of a conversion, the way a condition went
};

std::vector<Branch> path(const Tape& tape);

// A number that is the same for the same path, and equal to Lifter::path of a lifted run that took it unless there are
// integer conditions on the tape: lifted runs do not record them.
uint64_t path_hash(const Tape& tape);

// Where a lifted run of the same input left this run's path: the first decision that differs, and what it was there.
// Integer conditions are passed over.
struct Divergence {
  Branch branch;
  int64_t lifted = 0;
};
std::optional<Divergence> divergence(const Tape& tape, std::span<const runtime::Decision> lifted);

} // namespace faultline::tape
