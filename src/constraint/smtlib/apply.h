// A function of SMT-LIB's theories, applied to operands.
//
// Everything becomes terms of the system. What the standard leaves open is a variable more (see Unspecified), so that
// no answer depends on a choice that nobody made.
#pragma once

#include "constraint/smtlib/operators.h"
#include "constraint/smtlib/unspecified.h"

#include <array>
#include <span>

namespace faultline::constraint {

struct Application {
  const Operator* function = nullptr;
  std::array<int, 2> indices = {};
  size_t at = 0; // for messages
};

// What applications share: they last as long as the script.
struct Theories {
  explicit Theories(System& system) : system(system), unspecified(system), reals(system, unspecified) {}

  System& system;
  Unspecified unspecified;
  Reals reals;
};

// Throws UserError if the number of operands or their sorts are wrong.
Value apply(Theories& theories, const Lexer& lexer, const Application& application, std::span<const Value> operands);

// Scripts that need more terms are refused: a term takes some 200 bytes.
inline constexpr size_t most_terms = 10'000'000;

} // namespace faultline::constraint
