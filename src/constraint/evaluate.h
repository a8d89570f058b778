// What terms mean. Every answer "sat" is checked here before anybody sees it.
#pragma once

#include "constraint/system.h"

#include <span>

namespace faultline::constraint {

// One operation of the table, correctly rounded in binary32 and binary64 by the machine, in other formats by MPFR.
// Functions of libm in the machine's formats are the machine's own: what the program would get.
Bits apply(ops::Op op, BinaryFormat format, Bits a, Bits b = 0, Bits c = 0);
// The same by MPFR in every format, and so monotone where the function is.
Bits apply_correctly(ops::Op op, BinaryFormat format, Bits a, Bits b = 0, Bits c = 0);
bool holds(ops::Op comparison, BinaryFormat format, Bits a, Bits b);
bool is(Class tested, BinaryFormat format, Bits a);

// A node that is no variable, from the values of its operands; `operand` is the sort of the first.
Bits evaluate(const Node& node, const Sort& operand, const std::array<Bits, 3>& values);

// Every term, into `values`, which is resized.
void evaluate(const System& system, const Model& model, std::vector<Bits>& values);

// Is every assertion true?
bool satisfies(const System& system, const Model& model);

// Operations in any of IEEE 754's five rounding directions, exact by MPFR: what `rounded` terms mean.

// + - * / fma sqrt of floats of one format, and conversions (fptrunc), which alone have another one for the result.
Bits apply_rounded(ops::Op op, numeric::Rounding rounding, BinaryFormat from, BinaryFormat to, Bits a, Bits b = 0,
                   Bits c = 0);

// An integer that a word holds, as a float.
Bits rounded_integer(Bits word, int width, bool is_signed, BinaryFormat format, numeric::Rounding rounding);

// The word that holds the integer; 0 if the float is no integer, or none that the word can hold.
Bits integer_in_word(Bits value, BinaryFormat format, int width, bool is_signed);

} // namespace faultline::constraint
