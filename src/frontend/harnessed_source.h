// A C or C++ source with harnesses for those of its functions that cannot be called with plain numbers.
//
// The harnesses are compiled as if they stood at the end of the source: static functions, templates and inline
// functions are within their reach, and the source's lines are its own. What does not compile is left out, and the note
// says why.
#pragma once

#include "frontend/compile.h"
#include "frontend/harness_note.h"
#include "frontend/sources.h"

#include <string>
#include <vector>

namespace faultline::frontend {

// The bitcode of a source with its harnesses and notes. `flags` are all flags. Throws UserError if the source itself
// does not compile.
std::string compile_with_harnesses(const std::string& file, const std::vector<std::string>& flags,
                                   const std::string& directory, const Sources& sources);

// Which harnesses the compiler complained about.

// The notes of those that an error stands in, or is about (a template that it instantiates), say so: each harness is a
// file of its own name to the compiler. False: there is none, or an error that has nothing to do with any of them.
bool leave_out_failed(const std::string& complaints, HarnessNotes& notes);

} // namespace faultline::frontend
