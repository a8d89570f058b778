// Reader: rounding that the code means.
//
// (x + C) - C with C = 1.5 * 2^52 rounds x to an integer, on purpose: exact arithmetic that gave x back would not be
// what the code means. What counts is what the run does, not how the source spells it: a constant, or a value that no
// input has a part in, of the right form is added to something, and is taken off again. Where it comes from (a literal,
// a table, another file, a parameter) does not matter.
#pragma once

#include "tape/tape.h"

#include <vector>

namespace faultline::tape {

// Has no input a part in it? A few operations deep: 1.5 / epsilon, copysign(2^52, x), whose sign alone is x's.
bool is_fixed(const Tape& tape, uint32_t operand);

// Is it a constant of the form that rounds what is added to it, wherever it comes from?
bool is_shift(const Tape& tape, uint32_t operand, numeric::Format format);

// The sites at which this run added such a constant, as far as its first records tell. A site that also adds something
// else in this run is not among them.
std::vector<uint32_t> intended_roundings(const Tape& tape, uint32_t most_records = ~uint32_t(0));

// Makes them known to the session: from now on readers and lifted runs round there (ops::rounds_on_purpose).
void note_intended_roundings(exec::Session& session, const Tape& tape, uint32_t most_records = ~uint32_t(0));

// Reader: rounding that the code measures.
//
// Two-sums, Dekker's and Veltkamp's splittings, double-double arithmetic and compensated sums compute what a rounding
// has cut off: s = a + b, then (a - s) + b. By the rules of algebra that is zero, so exact arithmetic, carried out
// without thought, makes it zero, and the code's own value, which is right, would look wrong. Nobody writes down a
// zero in so many operations unless the rounding is meant.

// The records whose roundings such terms measure, in the order of their execution: exact arithmetic that rounds there,
// and nowhere else, gives the terms that the code means.
std::vector<uint32_t> measured_roundings(const Tape& tape);

} // namespace faultline::tape
