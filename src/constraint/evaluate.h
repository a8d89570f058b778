// Evaluates terms. Every model is checked here before it is reported.
#pragma once

#include "constraint/system.h"

#include <span>

namespace faultline::constraint {

// Computes an operation of the table, correctly rounded: in binary32 and binary64 by the machine, in other formats by
// MPFR. Functions of libm in the machine's formats are the machine's own, as in the program.
Bits apply(ops::Op op, BinaryFormat format, Bits a, Bits b = 0, Bits c = 0);
// As above, by MPFR in every format, and so monotone where the function is.
Bits apply_correctly(ops::Op op, BinaryFormat format, Bits a, Bits b = 0, Bits c = 0);
bool holds(ops::Op comparison, BinaryFormat format, Bits a, Bits b);
bool is(Class tested, BinaryFormat format, Bits a);

// Evaluates a node that is not a variable from the values of its operands; `operand` is the sort of the first.
Bits evaluate(const Node& node, const Sort& operand, const std::array<Bits, 3>& values);

// Evaluates every term into `values`, which is resized.
void evaluate(const System& system, const Model& model, std::vector<Bits>& values);

// True if every assertion holds.
bool satisfies(const System& system, const Model& model);

// Operations in any of IEEE 754's five rounding directions, exact by MPFR: the semantics of `rounded` terms.

// Computes + - * / fma sqrt on floats of one format, and conversions (fptrunc), whose result may have another format.
Bits apply_rounded(ops::Op op, numeric::Rounding rounding, BinaryFormat from, BinaryFormat to, Bits a, Bits b = 0,
                   Bits c = 0);

// Converts the integer in a word to a float.
Bits rounded_integer(Bits word, int width, bool is_signed, BinaryFormat format, numeric::Rounding rounding);

// Returns the word with the value of a float; 0 if the float is not an integer or does not fit.
Bits integer_in_word(Bits value, BinaryFormat format, int width, bool is_signed);

} // namespace faultline::constraint
