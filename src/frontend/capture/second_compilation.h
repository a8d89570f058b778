// What the real compiler compiles, compiled once more: to bitcode, with LLVM 19 and the same flags as far as it knows
// them. Nothing that goes wrong here may harm the build: it becomes the reason that the record gives.
#pragma once

#include "frontend/capture/command.h"
#include "frontend/capture/record.h"

#include <string>

namespace faultline::frontend {

// `directory` is the current folder. Throws nothing but what running out of memory throws.
Record compiled_again(const CompiledSource& source, const CompilerCommand& command, const std::string& directory);

} // namespace faultline::frontend
