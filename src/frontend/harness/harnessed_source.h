// A C or C++ source with harnesses for those of its functions that cannot be called with plain numbers.
//
// The harnesses are compiled as if they stood at the end of the source: static functions, templates and inline
// functions are within their reach, and the source's lines are its own. What does not compile is left out, and the note
// says why.
#pragma once

#include "frontend/compile.h"
#include "frontend/harness/harness_note.h"
#include "frontend/sources.h"

#include <string>
#include <vector>

namespace faultline::frontend {

// The bitcode of a source with its harnesses and notes. `flags` are all flags. Throws UserError if the source itself
// does not compile.
std::string compile_with_harnesses(const std::string& file, const std::vector<std::string>& flags,
                                   const std::string& directory, const Sources& sources);

} // namespace faultline::frontend
