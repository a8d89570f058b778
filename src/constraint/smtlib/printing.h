// Values as SMT-LIB text: what `solve` prints after an answer.
#pragma once

#include "constraint/smtlib/script_reader.h"
#include "constraint/system.h"

#include <optional>

namespace faultline::constraint {

std::string sort_text(const Sort& sort);

// What a value is written as: (fp #b0 ...), (_ NaN 8 24), true, #b0101.
std::string value_text(Bits bits, const Sort& sort);
// Decimal and hexadecimal, as a comment; empty if there is nothing to say.
std::string value_comment(Bits bits, const Sort& sort);

// (
//   (define-fun x () (_ FloatingPoint 8 24) (fp #b0 #b01111111 #b10000000000000000000000)) ; 1.5 0x1.8p+0
// )
std::string model_text(const System& system, const Model& model); // of all variables

// The same, of the variables that a script has declared where it stands.
std::string model_text(const Script& script, const Playback& playback, const Model& model);
// The answer to get-value: ((x (fp ...)) ...)
std::string values_text(const Script& script, const Command& command, const Model& model);

// A constraint system as SMT-LIB text, and a model as a solver prints it.
//
// Every solver can read what is written here: what the table of operations has and SMT-LIB lacks is expressed in
// SMT-LIB's terms (copysign, the unordered comparisons), or cannot be written (exp, fmod), and then there is no text.
// Terms that are used more than once, and long ones, become definitions, so that the text is as large as the system and
// no line is nested deeply.
//
// A name that SMT-LIB could not hold, or that something else has already, is changed: model_text and write_smtlib
// change it in the same way.
struct Written {
  std::string text;                   // empty if something cannot be written
  ops::Op unwritable = ops::Op::none; // the first operation that SMT-LIB lacks
};
Written write_smtlib(const System& system);

// The names of the variables as SMT-LIB writes them.
std::vector<std::string> smtlib_names(const System& system);

} // namespace faultline::constraint
