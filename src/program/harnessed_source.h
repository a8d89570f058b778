// A C or C++ source with harnesses for those of its functions that cannot be called with plain numbers.
//
// The harnesses are compiled as if they followed the source text: they can use its static functions, templates and
// inline functions, and the source keeps its line numbers. A harness that does not compile is left out, and its note
// has the reason.
#pragma once

#include "program/compile.h"
#include "program/harness_note.h"
#include "program/sources.h"

#include <string>
#include <vector>

namespace faultline::program {

// Returns the bitcode of a source with its harnesses and notes. `flags` are all flags. Throws UserError if the source
// itself does not compile.
std::string compile_with_harnesses(const std::string& file, const std::vector<std::string>& flags,
                                   const std::string& directory, const Sources& sources);

// The text that is compiled in place of this file's (Sources::texts); null for its own.
const std::string* replacing_text(const std::string& file, const Sources& sources);

// Marks the notes of harnesses that contain a compiler error or that an error refers to (in a template that they
// instantiate). Each harness is a separate file to the compiler. False if there is none, or if an error concerns none
// of them.
bool leave_out_failed(const std::string& complaints, HarnessNotes& notes);

} // namespace faultline::program
