// A constraint system as SMT-LIB text, and a model as a solver prints it.
//
// Every solver can read what is written here: what the table of operations has and SMT-LIB lacks is expressed in
// SMT-LIB's terms (copysign, the unordered comparisons), or cannot be written (exp, fmod), and then there is no text.
// Terms that are used more than once, and long ones, become definitions, so that the text is as large as the system and
// no line is nested deeply.
//
// A name that SMT-LIB could not hold, or that something else has already, is changed: model_text and write_smtlib
// change it in the same way.
#pragma once

#include "constraint/system.h"

#include <optional>

namespace faultline::constraint {

struct Written {
  std::string text;                   // empty if something cannot be written
  ops::Op unwritable = ops::Op::none; // the first operation that SMT-LIB lacks
};
Written write_smtlib(const System& system);

// The names of the variables as SMT-LIB writes them.
std::vector<std::string> smtlib_names(const System& system);

} // namespace faultline::constraint
