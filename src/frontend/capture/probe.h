// Questions that build systems ask of a compiler before they build: does this compile, is there such a header? There
// are hundreds of them, nothing of them is ever hunted in, and what they cost a user waits for.
#pragma once

#include "frontend/capture/command.h"

#include <string>

namespace faultline::frontend {

// `directory` is where the compiler runs.
bool is_probe(const CompilerCommand& command, const std::string& directory);

} // namespace faultline::frontend
