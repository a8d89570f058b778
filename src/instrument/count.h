// Which sites a target has, without compiling it: for lists, and to see whether names of places are right.
#pragma once

#include "frontend/program.h"
#include "runtime/abi.h"

#include <cstdint>
#include <string>
#include <vector>

namespace faultline::instrument {

// Operations in all functions that the symbol reaches. Vector operations count once a lane, as on the tape.
uint64_t count_sites(frontend::Program& program, const std::string& symbol);

// Where additions and subtractions stand in these functions: operation, file, line and column.
std::vector<runtime::Site> addition_sites(frontend::Program& program, const std::string& symbol);

} // namespace faultline::instrument
