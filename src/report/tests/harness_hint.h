// What tests are linked with, where that is not just the code under test.
#pragma once

#include "frontend/target.h"

#include <string>
#include <vector>

namespace faultline::report {

// "harness.cpp, which faultline harness h.cpp -f mean --size v=3 prints, instead of h.cpp, which it includes"; empty:
// no target has a harness.
std::string harness_hint(const std::vector<const frontend::Target*>& targets);

// A sentence if some are procedures of Fortran modules: each compiler has its own symbols for those, and these are
// flang's. Empty: none is.
std::string module_symbols_hint(const std::vector<const frontend::Target*>& targets);

} // namespace faultline::report
