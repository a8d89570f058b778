// Prints values as SMT-LIB text: the output of `solve` after an answer.
#pragma once

#include "constraint/smtlib/script_reader.h"
#include "constraint/system.h"

#include <optional>

namespace faultline::constraint {

std::string sort_text(const Sort& sort);

// Writes a value as a literal: (fp #b0 ...), (_ NaN 8 24), true, #b0101.
std::string value_text(Bits bits, const Sort& sort);
// Writes a value in decimal and hexadecimal as a comment; empty if the literal is clear enough.
std::string value_comment(Bits bits, const Sort& sort);

// (
//   (define-fun x () (_ FloatingPoint 8 24) (fp #b0 #b01111111 #b10000000000000000000000)) ; 1.5 0x1.8p+0
// )
std::string model_text(const System& system, const Model& model); // of all variables

// As above, for the variables declared at this point of a script.
std::string model_text(const Script& script, const Playback& playback, const Model& model);
// The answer to get-value: ((x (fp ...)) ...)
std::string values_text(const Script& script, const Command& command, const Model& model);

// Writes a constraint system as SMT-LIB text, and a model as a solver prints it.
//
// Every solver can read the text. Operations that SMT-LIB lacks are expressed in its terms (copysign, the unordered
// comparisons) or cannot be written (exp, fmod), and then there is no text. Terms with several uses, and long ones,
// become definitions, so the text is as large as the system and not deeply nested.
//
// Names that SMT-LIB does not permit or that are in use are changed. model_text and write_smtlib change them in the
// same way.
struct Written {
  std::string text;                   // empty if something cannot be written
  ops::Op unwritable = ops::Op::none; // the first operation that SMT-LIB lacks
};
Written write_smtlib(const System& system);

// The names of the variables in SMT-LIB's syntax.
std::vector<std::string> smtlib_names(const System& system);

} // namespace faultline::constraint
