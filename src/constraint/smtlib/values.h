// What an SMT-LIB expression denotes while a script is read, and of which sort it is.
//
// Booleans, floats and words (bit-vectors) are terms of the system. Rounding modes are made of terms
// (constraint/smtlib/modes.h), and so are comparisons of reals, which no term holds (constraint/smtlib/reals.h).
#pragma once

#include "constraint/smtlib/lexer.h"
#include "constraint/smtlib/literals.h"
#include "constraint/smtlib/modes.h"
#include "constraint/smtlib/reals.h"
#include "constraint/system.h"

#include <unordered_map>
#include <variant>

namespace faultline::constraint {

using Value = std::variant<Term, Mode, Literal, RealOf>;

struct ScriptSort {
  enum class Kind : uint8_t { term, rounding, real };
  Kind kind = Kind::term;
  Sort term = boolean_sort; // of Kind::term

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
  size_t count() const { return order_.size(); }
  void forget_to(size_t count); // the latest ones

private:
  std::unordered_map<std::string, ScriptSort> defined_;
  std::vector<std::string> order_;
};

// A variable or a parameter may be anything but a real.
void check_variable_sort(const Lexer& lexer, size_t at, const ScriptSort& sort);

// The two numbers of a format, from (_ FloatingPoint 8 24), (_ to_fp 8 24) or (_ +oo 8 24). Throws UserError where the
// format is none that we have.
BinaryFormat read_format(Lexer& lexer, size_t at);
void check_format(const Lexer& lexer, size_t at, int exponent_bits, int significand_bits);

} // namespace faultline::constraint
