// Reads a procedure of a Fortran source as data (fix/source_code.h): assignments, blocks and expressions with their
// places. flang's dump of its parse tree has no places, and the statements that matter here are few. Whatever is not
// understood becomes Statement::Kind::other or Code::Kind::other.
#pragma once

#include "fix/source_code.h"

#include <optional>
#include <string>

namespace faultline::fix {

// The innermost procedure around this line; nothing if there is none. `fixed`: the fixed form of FORTRAN 77.
std::optional<Function> fortran_function(const std::string& text, const std::string& file, int line, bool fixed);

// True if the file's ending means the fixed form.
bool is_fixed_form(const std::string& file);

} // namespace faultline::fix
