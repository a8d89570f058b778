// The body of a function as faultline-harness prints it.
#pragma once

#include "program/sources.h"

#include <string>

namespace faultline::program {

// Returns what faultline-harness prints about the functions of a C or C++ file around a line: their bodies as JSON
// (harness/body.h). Throws UserError.
std::string body_at(const std::string& file, int line, const Sources& sources);

} // namespace faultline::program
