// Writes a constraint system as SMT-LIB text, for tests that read it back.
#pragma once

#include "constraint/system.h"

#include <string>
#include <vector>

namespace faultline::constraint {

// Writes a constraint system as SMT-LIB text.
//
// Every solver can read the text. Operations that SMT-LIB lacks are expressed in its terms (copysign, the unordered
// comparisons) or cannot be written (exp, fmod), and then there is no text. Terms with several uses, and long ones,
// become definitions, so the text is as large as the system and not deeply nested.
//
// Names that SMT-LIB does not permit or that are in use are changed.
struct Written {
  std::string text;                   // empty if something cannot be written
  ops::Op unwritable = ops::Op::none; // the first operation that SMT-LIB lacks
};
Written write_smtlib(const System& system);

// The names of the variables in SMT-LIB's syntax.
std::vector<std::string> smtlib_names(const System& system);

} // namespace faultline::constraint
