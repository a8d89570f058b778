// Reader: the operations of a tape carried out again at any precision, on the path that the run took. The cheap
// high-precision run (FpDebug, LSGA): no code runs, but a branch that should have gone the other way is not seen, other
// than in `flips`.
//
// The tape is a program without branches, so it can be carried out on other inputs too: where no decision flips, its
// values are those of the code on these inputs, in exact arithmetic.
#pragma once

#include "numeric/bigfloat.h"
#include "ops/error_bound.h"
#include "tape/tape.h"

#include <span>
#include <vector>

namespace faultline::tape {

struct Replay {
  std::vector<numeric::BigFloat> values;  // one a record; entry 0 and comparisons hold 0
  std::vector<ops::ErrorExponent> errors; // of the values
  std::vector<uint32_t> flips;  // comparisons and conversions to integers that high precision decides differently
  std::vector<int64_t> decided; // how, each of them
};

// What exact arithmetic keeps of the run, by record: the rounding to the format, or the choice between two neighbours
// where the exact operand lies at the border between them.
enum class Keep : uint8_t { nothing, rounding, choice };

// Looks at the time limit (base/clock.h). `inputs`: instead of the run's. `keep`: one a record, or none at all.
Replay replay(const Tape& tape, long precision, std::span<const long double> inputs = {},
              std::span<const Keep> keep = {});

// The values as doubles, for readers that take such.
std::vector<double> rounded(const Replay& replay);

} // namespace faultline::tape
