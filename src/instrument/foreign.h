// Functions that the program calls, that are not part of it, and that may make floats: their work is invisible to the
// tape, and taken for exact by lifted execution.
//
// Not among them: libm's functions that are operations; functions that cannot return; those of the C library that LLVM
// knows and that return no float (printf, malloc); and those that neither return floats nor get a pointer to write to.
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <span>
#include <string>
#include <vector>

namespace faultline::instrument {

// Is this a call of one of them? Functions of the runtime or of the sandbox that take no floats may be among them.
bool is_foreign_call(const llvm::CallBase& call);
// Does it do arithmetic that rounds, whatever it is given? Fortran's sums and products over arrays do.
bool rounds_on_its_own(const llvm::CallBase& call);
// Of a routine of Fortran's library that takes descriptors: is this argument only read? All are but the result, which
// comes first if it is not returned.
bool only_reads_elements(const llvm::CallBase& call, unsigned argument);
// The name of the function as people write it.
std::string called_name(const llvm::CallBase& call);

// Their names as people write them, sorted. `replaced`: symbols that are ours in the end.
std::vector<std::string> foreign_functions(llvm::Module& module, std::span<const std::string> replaced);

} // namespace faultline::instrument
