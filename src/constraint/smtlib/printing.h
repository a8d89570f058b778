// Values as SMT-LIB text: what `solve` prints after an answer.
#pragma once

#include "constraint/smtlib/playback.h"

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

} // namespace faultline::constraint
