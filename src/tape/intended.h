// Reader: intended rounding.
//
// (x + C) - C with C = 1.5 * 2^52 rounds x to an integer on purpose. Exact arithmetic that returned x would not match
// the code's intent. The test depends on the run, not on the source's spelling: a constant, or a value independent of
// the inputs, of the right form is added to a value and then subtracted again. Its origin (a literal, a table, another
// file, a parameter) does not matter.
#pragma once

#include "tape/tape.h"

#include <vector>

namespace faultline::tape {

// True if the operand is independent of the inputs. Looks a few operations deep: 1.5 / epsilon, copysign(2^52, x),
// where only the sign is x's.
bool is_fixed(const Tape& tape, uint32_t operand);

// True if the operand is a constant of the form that rounds the other summand, wherever it comes from.
bool is_shift(const Tape& tape, uint32_t operand, numeric::Format format);

// Returns the sites at which this run added such a constant, in its first records. Excludes sites that also add other
// values in this run.
std::vector<uint32_t> intended_roundings(const Tape& tape, uint32_t most_records = ~uint32_t(0));

// Registers them with the session: from now on readers and lifted runs round there (ops::rounds_on_purpose).
void note_intended_roundings(exec::Session& session, const Tape& tape, uint32_t most_records = ~uint32_t(0));

// Reader: measured rounding.
//
// Two-sums, Dekker's and Veltkamp's splittings, double-double arithmetic and compensated sums compute the part that a
// rounding cut off: s = a + b, then (a - s) + b. Algebraically that is zero. Exact arithmetic that ignores this makes
// it zero, and the code's own value, which is right, would look wrong. Code that spends so many operations on a zero
// means the rounding.

// Returns the records whose roundings such terms measure, in the order of execution. Exact arithmetic that rounds
// there, and nowhere else, gives the intended terms.
std::vector<uint32_t> measured_roundings(const Tape& tape);

} // namespace faultline::tape
