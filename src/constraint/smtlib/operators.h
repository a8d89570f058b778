// The list of SMT-LIB's functions that a script may apply. constraint/smtlib/apply.h implements them.
//
// Unsupported functions of SMT-LIB are in the list too, so that messages can name them.
#pragma once

#include "constraint/smtlib/values.h"

#include <optional>
#include <string_view>

namespace faultline::constraint {

struct Operator {
  enum class Action : uint8_t {
    negation,
    conjunction,
    disjunction,
    exclusion, // xor
    implication,
    equality,
    distinctness,
    choice,
    operation, // an operation of the table, rounded or not
    rounding,  // to an integer: the only one with a rounding mode
    comparison,
    classification,
    selection,  // fp.min, fp.max
    assembly,   // fp
    conversion, // (_ to_fp e s)
    unsigned_conversion,
    to_word, // fp.to_ubv, fp.to_sbv
    to_pattern,
    to_real,
    minus, // from here on, on real literals
    addition,
    multiplication,
    division,
    real_comparison,
    word,         // from here on, on words: left-associative
    word_inverse, // the complement of `word`
    word_negation,
    word_comparison,
    word_equality, // result is a bit
    signed_division,
    concatenation,
    extraction,
    extension,
    rotation,
    repetition,
    nothing // unsupported
  };
  std::string_view name;
  Action action = Action::nothing;
  size_t least = 0, most = 0; // number of operands, including a rounding mode
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

// The constants of a script: literals and named constants.

// true, false, RNE, roundNearestTiesToEven ...
std::optional<Value> named_constant(System& system, std::string_view name);
bool is_named_constant(std::string_view name);

// 12, 1.5, #b01, #xff. None for any other token. Throws UserError if the literal is too long.
std::optional<Value> literal(System& system, const Lexer& lexer, const Token& token);

// (_ +oo 8 24), (_ bv10 32), after the "(_" at position `at`. Throws UserError.
Value indexed_constant(System& system, Lexer& lexer, size_t at);

} // namespace faultline::constraint
