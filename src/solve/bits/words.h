// Unsigned integers made of gates, least significant bit first. Every function states the width of its result; nothing
// is lost unless it says so. Words of different widths may be mixed: the missing bits are 0.
#pragma once

#include "constraint/system.h"
#include "numeric/format.h"
#include "solve/bits/gates.h"

#include <vector>

namespace faultline::solve {

using Word = std::vector<Gate>;
using numeric::Uint128;

// Constants, of `width` bits.
Word word_of(Uint128 value, int width);
Word inputs(Gates& gates, int width);
bool is_constant(const Word& word);
Uint128 value_of(const Word& constant); // of at most 128 bits

// How many bits a number needs: 0 for 0.
int bit_count(Uint128 value);

// The `width` bits from `low` up; bits beyond the end are 0.
Word slice(const Word& word, int low, int width);
Word joined(const Word& low, const Word& high);
Word shifted_left(const Word& word, int count); // `count` bits wider

Word add(Gates& gates, const Word& a, const Word& b, Gate carry = false); // one bit wider than the wider one
Word subtract(Gates& gates, const Word& a, const Word& b, int width);     // modulo 2^width
Word increment(Gates& gates, const Word& a, Gate carry);                  // one bit wider
Gate less(Gates& gates, const Word& a, const Word& b);
Gate less_equal(Gates& gates, const Word& a, const Word& b);
Gate equal(Gates& gates, const Word& a, const Word& b);
Gate any(Gates& gates, const Word& a);
Word choose(Gates& gates, Gate condition, const Word& then, const Word& otherwise); // as wide as the wider one
Word masked(Gates& gates, const Word& a, Gate keep);                                // 0 unless `keep`

// By a variable count. To the right, what falls out is or-ed into `sticky`; to the left it is dropped.
Word shift_right(Gates& gates, const Word& a, const Word& count, Gate& sticky);
Word shift_left(Gates& gates, const Word& a, const Word& count);

// Products, quotients and square roots of words.
//
// A product adds rows of bits from the least significant up: the array of the textbook, which CaDiCaL does better with
// than with a tree of adders (Wallace). A square has half the rows' bits; a constant factor has signed digits, most of
// them zero. Quotients and roots are not computed but guessed: q and r are
// inputs with q * b + r = a and r < b, so that the solver may reason from the quotient to the dividend as well. Over
// constants they are computed.
Word multiply(Gates& gates, const Word& a, const Word& b); // as wide as both together

// floor(a / b), of `width` bits, which must suffice, and whether something is left. b must not be 0, whatever the
// inputs are: the equation above is required. The first bit of the quotient must be 1.
Word divide(Gates& gates, const Word& a, const Word& b, int width, Gate& inexact);
// floor(sqrt(a)), of half the width of a, which must be even, and whether something is left. One of the first two bits
// of a must be 1.
Word square_root(Gates& gates, const Word& a, Gate& inexact);

// Operations on the words of a constraint system (constraint::WordOp).
Word apply(Gates& gates, const constraint::Node& node, const Word& a, const Word& b);
Gate less(Gates& gates, const Word& a, const Word& b, bool is_signed);
Word negated(Gates& gates, const Word& a);

} // namespace faultline::solve
