// Which harnesses the compiler complained about.
#pragma once

#include "frontend/harness/harness_note.h"

namespace faultline::frontend {

// The notes of those that an error stands in, or is about (a template that it instantiates), say so: each harness is a
// file of its own name to the compiler. False: there is none, or an error that has nothing to do with any of them.
bool leave_out_failed(const std::string& complaints, HarnessNotes& notes);

} // namespace faultline::frontend
