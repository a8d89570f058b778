// What an SMT-LIB expression denotes while a script is read, and of which sort it is.
//
// Booleans and floats are terms of the system. Rounding modes, reals and bit-vectors exist as literals only: they are
// computed while reading, and no term ever holds one.
#pragma once

#include "constraint/smtlib/lexer.h"
#include "constraint/smtlib/literals.h"
#include "constraint/system.h"

#include <memory>
#include <unordered_map>
#include <variant>

namespace faultline::constraint {

enum class Rounding : uint8_t { nearest_even, nearest_away, up, down, to_zero }; // RNE, RNA, RTP, RTN, RTZ
using Real = std::shared_ptr<const Rational>;                                    // an integer too
using Value = std::variant<Term, Rounding, Real, BitVector>;

struct ScriptSort {
  enum class Kind : uint8_t { term, rounding, real, bits };
  Kind kind = Kind::term;
  Sort term = boolean_sort; // of Kind::term
  int width = 0;            // of Kind::bits

  bool operator==(const ScriptSort&) const = default;
};

ScriptSort sort_of(const System& system, const Value& value);
std::string text(const ScriptSort& sort); // as a script writes it

// The sorts that have names, and the reading of sorts.
class Sorts {
public:
  // Throws UserError "unsupported sort" for those that cannot be expressed.
  ScriptSort read(Lexer& lexer) const;
  void define(const Lexer& lexer, const Token& name, ScriptSort sort);

private:
  std::unordered_map<std::string, ScriptSort> defined_;
};

// What a variable can be: a Boolean or a float. A parameter may be a rounding mode as well.
void check_variable_sort(const Lexer& lexer, size_t at, const ScriptSort& sort);
void check_parameter_sort(const Lexer& lexer, size_t at, const ScriptSort& sort);

// The two numbers of a format, from (_ FloatingPoint 8 24), (_ to_fp 8 24) or (_ +oo 8 24). Throws UserError where the
// format is none that we have.
BinaryFormat read_format(Lexer& lexer, size_t at);
void check_format(const Lexer& lexer, size_t at, int exponent_bits, int significand_bits);

} // namespace faultline::constraint
