// The program of a campaign in its folder, by its content: DIR/programs/HASH.bc. Jobs that run on other machines read
// it; those on this one have it in memory.
#pragma once

#include "frontend/program.h"

#include <string>

namespace faultline::campaign {

// Writes it, unless it is there, and deletes those of earlier runs, which no job asks for any more. Returns the hash.
// Throws frontend::UserError: it cannot be written.
std::string store_program(frontend::Program& program, const frontend::Sources& sources, const std::string& folder);

} // namespace faultline::campaign
