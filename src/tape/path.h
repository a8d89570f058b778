// Reader: the decisions of a run and their outcomes. Decisions are comparisons, conversions to integers and, in a
// session that records them, integer conditions. With the operations before them they form the path condition.
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

// Returns a hash of the path. It equals Lifter::path of a lifted run on the same path unless the tape has integer
// conditions, which lifted runs do not record.
uint64_t path_hash(const Tape& tape);

// The first decision at which a lifted run of the same input left this run's path, and its outcome there. Integer
// conditions are skipped.
struct Divergence {
  Branch branch;
  int64_t lifted = 0;
};
std::optional<Divergence> divergence(const Tape& tape, std::span<const runtime::Decision> lifted);

// Reader: roundings to an integer that reduce an argument: k = rint(x / c), then x - k * c. Where x / c lies half-way
// between two integers, either neighbour is right, since the remainder compensates.

// Returns the records of the roundings (by rint and similar, by a conversion to an integer, or by adding a large
// constant).
std::vector<uint32_t> reduction_steps(const Tape& tape);

// Reader: comparisons with a constant that denotes a number which is not a float, where the run found both sides equal.
// M_PI denotes pi: atan2(0, -1) > M_PI is false for floats, as intended, but true in exact arithmetic, since M_PI is a
// little less than pi.

std::vector<uint32_t> ties_with_constants(const Tape& tape);

// True if `exact` is the number that the constant of the comparison denotes: a multiple of pi / 4, e, log 2 or sqrt 2.
// They must agree in far more digits than the format has, since a number may also just round to the constant.
bool equals_intended_number(const Tape& tape, uint32_t comparison, mpfr_srcptr exact);

} // namespace faultline::tape
