// What tests of functions that are called through harnesses are linked with.
#pragma once

#include "frontend/target.h"

#include <string>
#include <vector>

namespace faultline::report {

// "harness.cpp, which faultline harness h.cpp -f mean --size v=3 prints"; empty: no target has a harness.
std::string harness_hint(const std::vector<const frontend::Target*>& targets);

} // namespace faultline::report
