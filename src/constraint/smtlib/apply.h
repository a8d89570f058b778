// Applies functions of SMT-LIB's theories to operands.
//
// All results are terms of the system. A value that the standard leaves open becomes a variable (see Unspecified), so
// that no answer depends on an arbitrary choice.
#pragma once

#include "constraint/smtlib/values.h"

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace faultline::constraint {

class Applier;

// A function of SMT-LIB that a script may apply. Unsupported ones are known too, so that messages can name them.
struct Operator {
  std::string_view name;
  Value (Applier::*apply)() = nullptr; // none if Faultline does not support it
  size_t least = 0, most = 0;          // number of operands, including a rounding mode
  ops::Op op = ops::Op::none;
  Class tested = Class::normal;
  int indices = 0; // number of indices: (_ to_fp 8 24) has two
  WordOp word = WordOp::none;
  bool is_signed = false;                // for a rotation: to the right
  bool swapped = false, negated = false; // comparisons, derived from less-than

  static constexpr size_t any_number = SIZE_MAX;
};

// None if SMT-LIB has no such function.
const Operator* find_operator(std::string_view name);

struct Application {
  const Operator* function = nullptr;
  std::array<int, 2> indices = {};
  size_t at = 0; // for messages
};

// The state that applications share. It lives as long as the script.
struct Theories {
  explicit Theories(System& system) : system(system), unspecified(system), reals(system, unspecified) {}

  System& system;
  Unspecified unspecified;
  Reals reals;
};

// Throws UserError if the number of operands or their sorts are wrong.
Value apply(Theories& theories, const Lexer& lexer, const Application& application, std::span<const Value> operands);

// Scripts that need more terms are rejected: a term takes some 200 bytes.
inline constexpr size_t most_terms = 10'000'000;

// The constants of a script: literals and named constants.

// true, false, RNE, roundNearestTiesToEven ...
std::optional<Value> named_constant(System& system, std::string_view name);
bool is_named_constant(std::string_view name);

// 12, 1.5, #b01, #xff. None for any other token. Throws UserError if the literal is too long.
std::optional<Value> literal(System& system, const Lexer& lexer, const Token& token);

// (_ +oo 8 24), (_ bv10 32), after the "(_" at position `at`. Throws UserError.
Value indexed_constant(System& system, Lexer& lexer, size_t at);

} // namespace faultline::constraint
