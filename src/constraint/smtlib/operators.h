// The functions of SMT-LIB's theories that a script may apply, as one list. What they do is in
// constraint/smtlib/apply.h.
//
// A function that exists in SMT-LIB and is not supported is in the list too, so that the message can say so.
#pragma once

#include "constraint/smtlib/values.h"

#include <optional>
#include <string_view>

namespace faultline::constraint {

struct Operator {
  enum class Does : uint8_t {
    negation,
    conjunction,
    disjunction,
    exclusion, // xor
    implication,
    equality,
    distinctness,
    choice,
    operation, // of the table, rounded or not
    rounding,  // to an integer: the one that may be rounded in every direction
    comparison,
    classification,
    selection,  // fp.min, fp.max
    assembly,   // fp
    conversion, // (_ to_fp e s)
    unsigned_conversion,
    to_word, // fp.to_ubv, fp.to_sbv
    to_pattern,
    to_real,
    minus, // from here on, of real literals
    addition,
    multiplication,
    division,
    real_comparison,
    word,         // from here on, of words: with itself from the left
    word_inverse, // the complement of that
    word_negation,
    word_comparison,
    word_equality, // as a bit
    signed_division,
    concatenation,
    extraction,
    extension,
    rotation,
    repetition,
    nothing // is not supported
  };
  std::string_view name;
  Does does = Does::nothing;
  size_t least = 0, most = 0; // operands; a rounding mode is one
  ops::Op op = ops::Op::none;
  Class tested = Class::normal;
  int indices = 0; // numbers: (_ to_fp 8 24) has two
  WordOp word = WordOp::none;
  bool is_signed = false;                // or: of a rotation, to the right
  bool swapped = false, negated = false; // of comparisons: what makes them of less-than

  static constexpr size_t any_number = SIZE_MAX;
};

// Nothing if the logic has no such function.
const Operator* find_operator(std::string_view name);

// The constants of a script: literals, and those that SMT-LIB names.

// true, false, RNE, roundNearestTiesToEven ...
std::optional<Value> named_constant(System& system, std::string_view name);
bool is_named_constant(std::string_view name);

// 12, 1.5, #b01, #xff. Nothing for any other token; throws UserError where the literal is too long.
std::optional<Value> literal(System& system, const Lexer& lexer, const Token& token);

// (_ +oo 8 24), (_ bv10 32), of which "(_" was read; `at` is its place. Throws UserError.
Value indexed_constant(System& system, Lexer& lexer, size_t at);

} // namespace faultline::constraint
