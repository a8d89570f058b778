// From a file of FPCores to bitcode: by way of C that is never on disk.
#pragma once

#include "frontend/fpcore/function_writer.h"

#include <string>
#include <vector>

namespace faultline::frontend::fpcore {

// Throws UserError: the file is wrong, or the flags are.
std::string compile_fpcore(const std::string& file, const std::vector<std::string>& flags, Preconditions preconditions);

} // namespace faultline::frontend::fpcore
