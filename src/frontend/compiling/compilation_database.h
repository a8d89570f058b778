// compile_commands.json: how a build compiles a file.
#pragma once

#include "frontend/compiling/flag_filter.h"

#include <string>
#include <vector>

namespace faultline::frontend {

// The flags and the directory that a compilation database gives for a file.
struct DatabaseEntry {
  std::vector<std::string> flags;
  std::string directory;
};

// `database` is the file, or the folder it lies in. Throws UserError: it cannot be read, does not list the file, or has
// a flag for it that is not taken from a file (frontend/compiling/flag_filter.h).
DatabaseEntry look_up(const std::string& database, const std::string& file, Trust trust);

} // namespace faultline::frontend
