// Reader: the last loop of a run that makes a fixed number of turns, and what more turns would give.
//
// On the tape a turn is a stretch of records that repeats the one before: the same operations of the same lines, each
// on what the turn before left in its place, on what all turns share, or on numbers that go on in regular steps (1, 2,
// 3 or 1, 4, 9). Whether the compiler has unrolled the loop does not matter. Such a stretch can be carried on beyond
// its end.
#pragma once

#include "numeric/bigfloat.h"
#include "tape/tape.h"

#include <optional>
#include <vector>

namespace faultline::tape {

struct Turns {
  uint32_t first = 0;  // record of the first turn
  uint32_t length = 0; // records of a turn
  uint32_t count = 0;

  uint32_t end() const { return first + length * count; }
};

// The loop whose turns end last; none if a comparison of floats ends it (tape/tolerance.h), or if a number of the code
// is the number of turns, so that more of them would change what is computed (h = (b - a) / 16).
std::optional<Turns> last_turns(const Tape& tape);

// The outputs in exact arithmetic, after so many more turns; the outputs are records. Empty if they cannot be told.
std::vector<numeric::BigFloat> after_more_turns(const Tape& tape, const Turns& turns, uint32_t more,
                                                const std::vector<uint32_t>& outputs, long precision);

} // namespace faultline::tape
