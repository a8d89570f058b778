// The files of a program, read one after the other, each in its turn: Fortran's by their modules, all by the flags that
// their build records. One that does not compile does not lose the others.
#pragma once

#include "frontend/sources.h"
#include "frontend/unit.h"

#include <string>
#include <vector>

namespace faultline::frontend {

struct LoadedFiles {
  std::vector<Unit> units;           // in the order in which the files are given
  std::vector<std::string> left_out; // files that do not compile
  std::vector<std::string> remarks;  // what the user should know of them, and of flags that were guessed
};

// Throws UserError: a file is missing; the only file, or every one, does not compile or is malformed.
LoadedFiles load_files(const Sources& sources);

} // namespace faultline::frontend
