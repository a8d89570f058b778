// Reader: the decisions of a run (comparisons, conversions to integers and, in a session that records them, integer
// conditions), and how they came out. With the operations before them they are the path condition.
#pragma once

#include "numeric/bigfloat.h"
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

// Reader: roundings to an integer by which an argument is reduced: k = rint(x / c), then x - k * c. Whether the
// neighbour above or below is taken where x / c lies half-way between does not matter, as the rest makes up for it.

// The records of the roundings (by rint and the like, by a conversion to an integer, or by adding a large constant).
std::vector<uint32_t> reduction_steps(const Tape& tape);

// Reader: comparisons with a constant that stands for a number no float is, which the run found equal. M_PI stands for
// pi: atan2(0, -1) > M_PI is false for floats, as whoever wrote it wants it, and true in exact arithmetic, since M_PI
// is a little less than pi.

// The records.
std::vector<uint32_t> ties_with_constants(const Tape& tape);

// Is this the number that the constant of the comparison stands for: a multiple of pi / 4, e, log 2, sqrt 2? To far
// more digits than the format has: what was only rounded to the constant is another number.
bool is_what_is_meant(const Tape& tape, uint32_t comparison, mpfr_srcptr exact);

} // namespace faultline::tape
