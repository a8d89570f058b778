// How the functions of a program take their arguments, for the recorder (recorder/signatures.h): those that can be
// hunted in as they are, and whose inputs are all in registers, on the stack, or behind a pointer there.
#pragma once

#include "frontend/program.h"

#include <string>

namespace faultline::campaign {

// The bytes of a file of signatures.
std::string signatures_of(const std::vector<frontend::Target>& targets);

} // namespace faultline::campaign
