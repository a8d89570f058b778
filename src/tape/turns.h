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

// The loop whose turns end last; none if a comparison of floats ends it (tape/turns.h), or if a number of the code
// is the number of turns, so that more of them would change what is computed (h = (b - a) / 16).
std::optional<Turns> last_turns(const Tape& tape);

// The outputs in exact arithmetic, after so many more turns; the outputs are records. Empty if they cannot be told.
std::vector<numeric::BigFloat> after_more_turns(const Tape& tape, const Turns& turns, uint32_t more,
                                                const std::vector<uint32_t>& outputs, long precision);

// Reader: the tolerances by which loops stop: constants, or values that no input has a part in, in the conditions of
// their exits, on their own (term < 1e-15) or as factors (fabs(dx) < 1e-15 * fabs(x)). What they are compared with
// depends on the inputs, and they stay the same from turn to turn: a random number that a loop rejects does not.
struct Tolerance {
  uint32_t site = 0;
  int operand = 0;       // of the operation there
  uint32_t exit = 0;     // the site of the comparison that it is for
  uint32_t compared = 0; // the last record of that

  bool operator==(const Tolerance&) const = default;
};

// Each once, in the order of the sites.
std::vector<Tolerance> tolerances(const Tape& tape);

// Reader: the additions that update an accumulator or an element of an array (FPGen, section 3.1.3: "loops that iterate
// on the input data and update the variable that holds the result").
//
// They are found on the tape and not in the code: -O2 unrolls and vectorises loops, and the tape sees through memory. A
// place is what the programmer wrote: file, line, column, operation and format, so the copies that unrolling makes of
// an addition are one place (named by the first of their sites). A place accumulates if an operand of one of its
// executions descends from an earlier execution: directly, or through products, quotients, negations, absolute values
// and conversions (Horner's rule, scaled updates). Not through other additions or functions: x - m is no accumulator,
// although m is made from earlier differences.
//
// An execution is known by its place and its number, which counts all executions of the place from 1, also the first,
// which updates nothing yet. A program in which nothing accumulates (straight-line code) has all its additions here.
constexpr bool is_addition(ops::Op op) { return op == ops::Op::fadd || op == ops::Op::fsub || op == ops::Op::fma; }

struct Addition {
  uint32_t place = 0;     // a site: the first of those that stand there
  uint32_t execution = 0; // from 1
  uint32_t record = 0;
};

// The place of each site; 0 of those that are no additions.
std::vector<uint32_t> places(const runtime::SiteTable& table);

// All of them, in the order of execution.
std::vector<Addition> additions(const Tape& tape);

// Those of the places that accumulate; all if there are none.
std::vector<Addition> accumulations(const Tape& tape);

// The record of an execution; 0 if the run did not come to it. `places` saves the time to make them.
uint32_t find_execution(const Tape& tape, std::span<const uint32_t> places, uint32_t place, uint32_t execution);
uint32_t find_execution(const Tape& tape, uint32_t place, uint32_t execution);

// What an addition adds, and what it made. The product of an fma, which is no record, is rounded to the format here: it
// matters by its magnitude only.
struct Summands {
  long double a = 0, b = 0, result = 0;
};
Summands summands(const Tape& tape, uint32_t record);

} // namespace faultline::tape
