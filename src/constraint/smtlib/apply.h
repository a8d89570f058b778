// A function of SMT-LIB's theories, applied to operands: Booleans and floats become terms of the system, literals are
// computed on the spot.
//
// Rounding is to nearest, ties to even, because that is what a system means by an operation; other directions are
// refused, except that fp.roundToIntegral has an operation of the table for each.
//
// fp.min and fp.max of two zeros of different sign may be either zero by the standard; here they are what the machine's
// fmin and fmax give.
#pragma once

#include "constraint/smtlib/operators.h"

#include <array>
#include <span>

namespace faultline::constraint {

struct Application {
  const Operator* function = nullptr;
  std::array<int, 2> indices = {};
  size_t at = 0; // for messages
};

// Throws UserError if the number of operands or their sorts are wrong.
Value apply(System& system, const Lexer& lexer, const Application& application, std::span<const Value> operands);

// Scripts that need more terms are refused: a term takes some 200 bytes.
inline constexpr size_t most_terms = 10'000'000;

} // namespace faultline::constraint
