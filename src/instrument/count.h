// How many sites a target has, without compiling it: for lists.
#pragma once

#include "frontend/program.h"

#include <cstdint>
#include <string>

namespace faultline::instrument {

// Operations in all functions that the symbol reaches. Vector operations count once a lane, as on the tape.
uint64_t count_sites(frontend::Program& program, const std::string& symbol);

} // namespace faultline::instrument
