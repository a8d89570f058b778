// Unsigned integers made of gates, least significant bit first. Every function states the width of its result; results
// are exact unless stated otherwise. Operands may have different widths: the missing bits are 0.
#pragma once

#include "numeric/format.h"
#include "solve/bits/gates.h"
#include "solve/solver.h"

#include <vector>

namespace faultline::solve {

using Word = std::vector<Gate>;
using numeric::Uint128;

// Constants, of `width` bits.
Word word_of(Uint128 value, int width);
Word inputs(Gates& gates, int width);
bool is_constant(const Word& word);
Uint128 value_of(const Word& constant); // of at most 128 bits

// Returns the number of bits of a number: 0 for 0.
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

// Shifts by a variable count. A right shift or-s the lost bits into `sticky`; a left shift drops them.
Word shift_right(Gates& gates, const Word& a, const Word& count, Gate& sticky);
Word shift_left(Gates& gates, const Word& a, const Word& count);

// Products, quotients and square roots of words.
//
// A product adds rows of bits, least significant first: the array of the textbook, which suits CaDiCaL better than a
// tree of adders (Wallace). The rows of a square have half the bits. A constant factor has signed digits, most of them
// zero. Quotients and roots are not computed but constrained: q and r are inputs with q * b + r = a and r < b, so that
// the solver can also reason from the quotient to the dividend. For constants they are computed.
Word multiply(Gates& gates, const Word& a, const Word& b); // as wide as both together

// Returns floor(a / b) of `width` bits, which must suffice; `inexact` is true if the rest is nonzero. The equation
// above is required for all inputs, so b must never be 0. The first bit of the quotient must be 1.
Word divide(Gates& gates, const Word& a, const Word& b, int width, Gate& inexact);
// Returns floor(sqrt(a)); `inexact` is true if the rest is nonzero. The result has half the width of a, which must be
// even. One of the first two bits of a must be 1.
Word square_root(Gates& gates, const Word& a, Gate& inexact);

// Operations on the words of a constraint system (WordOp).
Word apply(Gates& gates, const Node& node, const Word& a, const Word& b);
Gate less(Gates& gates, const Word& a, const Word& b, bool is_signed);
Word negated(Gates& gates, const Word& a);

} // namespace faultline::solve
