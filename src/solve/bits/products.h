// Products, quotients and square roots of words.
//
// A product adds rows of bits from the least significant up: the array of the textbook, which CaDiCaL does better with
// than with a tree of adders (Wallace). A square has half the rows' bits; a constant factor has signed digits, most of
// them zero. Quotients and roots are not computed but guessed: q and r are
// inputs with q * b + r = a and r < b, so that the solver may reason from the quotient to the dividend as well. Over
// constants they are computed.
#pragma once

#include "solve/bits/words.h"

namespace faultline::solve {

Word multiply(Gates& gates, const Word& a, const Word& b); // as wide as both together

// floor(a / b), of `width` bits, which must suffice, and whether something is left. b must not be 0, whatever the
// inputs are: the equation above is required. The first bit of the quotient must be 1.
Word divide(Gates& gates, const Word& a, const Word& b, int width, Gate& inexact);
// floor(sqrt(a)), of half the width of a, which must be even, and whether something is left. One of the first two bits
// of a must be 1.
Word square_root(Gates& gates, const Word& a, Gate& inexact);

} // namespace faultline::solve
