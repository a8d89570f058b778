// The recording twin of a program or a shared library: the same code, whose functions note their arguments
// (run/call_hooks.h). Nothing else is instrumented. Each source is compiled by itself and cached by content, so test
// programs that share a library's objects share the work, and the linker sees what it has seen in the user's build.
#pragma once

#include <string>

namespace faultline::run {

// True if the file has captured code.
bool has_captured_code(const std::string& file);

// The twin's path. Throws UserError if nothing was captured, or if the twin does not link or cannot take the place of
// the file.
std::string recording_twin_of(const std::string& file);

} // namespace faultline::run
