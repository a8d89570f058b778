// faultline cc, c++ and fc: stand where a compiler stood, have it do what it was asked for, and put bitcode of what it
// compiled into the objects that it wrote.
#pragma once

#include "frontend/capture/command.h"

#include <string>
#include <vector>

namespace faultline::frontend {

// The exit status is the real compiler's; where a signal ended it, the same signal ends us. Throws UserError if there
// is no real compiler.
int wrap_compiler(Driver driver, const std::vector<std::string>& arguments);

} // namespace faultline::frontend
