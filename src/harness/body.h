// Prints the bodies of functions as data: statements and expressions with their places in the file. `faultline fix`
// makes questions and edits of them (fix/code.h reads them).
#pragma once

#include <clang-c/Index.h>
#include <nlohmann/json.hpp>

namespace faultline::harness {

// The function with this cursor, a definition.
nlohmann::json body_of(CXCursor function);

} // namespace faultline::harness
