// Prints values as SMT-LIB text: the output of `solve` after an answer.
#pragma once

#include "constraint/smtlib/script_reader.h"
#include "constraint/system.h"

#include <optional>

namespace faultline::constraint {

// Writes a value as a literal: (fp #b0 ...), (_ NaN 8 24), true, #b0101.
std::string value_text(Bits bits, const Sort& sort);
// Writes a value in decimal and hexadecimal as a comment; empty if the literal is clear enough.
std::string value_comment(Bits bits, const Sort& sort);

// (
//   (define-fun x () (_ FloatingPoint 8 24) (fp #b0 #b01111111 #b10000000000000000000000)) ; 1.5 0x1.8p+0
// )
// The variables are those declared at this point of a script.
std::string model_text(const Script& script, const Playback& playback, const Model& model);
// The answer to get-value: ((x (fp ...)) ...)
std::string values_text(const Script& script, const Command& command, const Model& model);

} // namespace faultline::constraint
