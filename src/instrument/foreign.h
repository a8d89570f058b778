// Functions that the program calls, that are not part of it, and that may make floats: their work is invisible to the
// tape, and taken for exact by lifted execution.
//
// Not among them: libm's functions that are operations; functions that cannot return; those of the C library that LLVM
// knows and that return no float (printf, malloc); and those that neither return floats nor get a pointer to write to.
#pragma once

#include <llvm/IR/Module.h>
#include <span>
#include <string>
#include <vector>

namespace faultline::instrument {

// Their names as people write them, sorted. `replaced`: symbols that are ours in the end.
std::vector<std::string> foreign_functions(llvm::Module& module, std::span<const std::string> replaced);

} // namespace faultline::instrument
