// The program of a campaign in a folder, by its content: DIR/programs/HASH.bc. Jobs that run on other machines read it;
// those on this one have it in memory.
#pragma once

#include "frontend/program.h"

#include <string>

namespace faultline::campaign {

// Writes it, unless it is there, and deletes those of earlier runs, which no job asks for any more. Returns the hash.
// What a build has captured is written as bitcode, with the harnesses that were made from its sources: other machines
// need not have these. Throws frontend::UserError: it cannot be written.
std::string store_program(frontend::Program& program, const frontend::Sources& sources, const std::string& folder);

// Copies the campaign's program of this hash to another folder, for machines that see that one.
void copy_program(const std::string& hash, const std::string& campaign, const std::string& folder);

std::string program_in(const std::string& folder, const std::string& hash); // the file

} // namespace faultline::campaign
