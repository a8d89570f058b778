// Reader: the last loop of a run with a fixed number of turns, and the results that more turns would give.
//
// On the tape, a turn is a sequence of records that repeats the one before it: the same operations of the same lines,
// each on the result at the same position of the turn before, on values that all turns share, or on numbers that go on
// in regular steps (1, 2, 3 or 1, 4, 9). It does not matter whether the compiler has unrolled the loop. Such a sequence
// can be continued beyond its end.
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

// Finds the loop whose turns end last. There is none if a comparison of floats ends it (tolerances()), or if a constant
// in the code equals the number of turns, so that more turns would change the quantity computed (h = (b - a) / 16).
std::optional<Turns> last_turns(const Tape& tape);

// Returns the output records' values in exact arithmetic after `more` further turns; empty if they are unknown.
std::vector<numeric::BigFloat> after_more_turns(const Tape& tape, const Turns& turns, uint32_t more,
                                                const std::vector<uint32_t>& outputs, long precision);

// Reader: the tolerances at which loops stop. A tolerance is a constant, or a value independent of the inputs, in the
// condition of a loop's exit, either alone (term < 1e-15) or as a factor (fabs(dx) < 1e-15 * fabs(x)). The value it is
// compared with depends on the inputs, and the tolerance is the same in each turn, unlike a random number that a loop
// rejects.
struct Tolerance {
  uint32_t site = 0;
  int operand = 0;       // of the operation there
  uint32_t exit = 0;     // the site of the exit's comparison
  uint32_t compared = 0; // the last record of that comparison

  bool operator==(const Tolerance&) const = default;
};

// Each tolerance once, in the order of sites.
std::vector<Tolerance> tolerances(const Tape& tape);

// Reader: the additions that update an accumulator or an element of an array (FPGen, section 3.1.3: "loops that iterate
// on the input data and update the variable that holds the result").
//
// They are found on the tape, not in the code: -O2 unrolls and vectorises loops, and the tape sees through memory. A
// place is a position in the source: file, line, column, operation and format. The copies that unrolling makes of an
// addition are thus one place, named by the first of their sites. A place accumulates if an operand of one of its
// executions descends from an earlier execution, directly or through products, quotients, negations, absolute values
// and conversions (Horner's rule, scaled updates). Other additions and functions do not count: x - m is no accumulator,
// although m is computed from earlier differences.
//
// An execution is identified by its place and its number. Numbers count all executions of the place from 1, including
// the first, which updates nothing yet. If nothing accumulates (straight-line code), all additions are listed.
constexpr bool is_addition(ops::Op op) { return op == ops::Op::fadd || op == ops::Op::fsub || op == ops::Op::fma; }

struct Addition {
  uint32_t place = 0;     // the first of its sites
  uint32_t execution = 0; // from 1
  uint32_t record = 0;
};

// Returns the place of each site; 0 for sites that are not additions.
std::vector<uint32_t> places(const runtime::SiteTable& table);

// All additions, in the order of execution.
std::vector<Addition> additions(const Tape& tape);

// The additions of places that accumulate; all additions if there are none.
std::vector<Addition> accumulations(const Tape& tape);

// Returns the record of an execution; 0 if the run did not reach it. Passing `places` saves computing them.
uint32_t find_execution(const Tape& tape, std::span<const uint32_t> places, uint32_t place, uint32_t execution);
uint32_t find_execution(const Tape& tape, uint32_t place, uint32_t execution);

// The summands and the result of an addition. The product of an fma, which is not a record, is rounded to the format
// here, since only its magnitude matters.
struct Summands {
  numeric::Value a = 0, b = 0, result = 0;
};
Summands summands(const Tape& tape, uint32_t record);

} // namespace faultline::tape
