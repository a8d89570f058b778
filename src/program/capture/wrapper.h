// faultline cc, c++ and fc: replace a compiler in a build. They run the real compiler, and add bitcode of the sources
// to the objects that it wrote.
#pragma once

#include "base/process.h"
#include "program/capture/command.h"

#include <string>
#include <vector>

namespace faultline::program {

// Returns the real compiler's exit status. If a signal ended it, the same signal ends this process. Throws UserError if
// there is no real compiler.
int wrap_compiler(Driver driver, const std::vector<std::string>& arguments);

// True for the small test programs that build systems compile first: whether something compiles, whether a header
// exists. There are hundreds, they are never tested, and capturing them would slow a build down. `directory` is where
// the compiler runs.
bool is_probe(const CompilerCommand& command, const std::string& directory);

// Removes -flto and flags that depend on it: link-time optimisation drops sections.
std::vector<std::string> without_lto(const std::vector<std::string>& arguments);

} // namespace faultline::program
