// Lists the sites of a target without compiling it: for lists, and to validate names of places.
#pragma once

#include "program/program.h"
#include "runtime/abi.h"

#include <cstdint>
#include <string>
#include <vector>

namespace faultline::instrument {

// Counts the operations in all functions reachable from the symbol. Vector operations count once per lane, as on the
// tape.
uint64_t count_sites(program::Program& program, const std::string& symbol);

// Returns the additions and subtractions in these functions: operation, file, line and column.
std::vector<runtime::Site> addition_sites(program::Program& program, const std::string& symbol);

} // namespace faultline::instrument
