// Flang's runtime library, as code under test gets it: linked into its own code, so that it uses our heap and our ways
// to end a call. What it keeps in variables (units, locks) is put back before each call like the program's own
// variables: it points into that heap.
#pragma once

#include "exec/jit.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <memory>
#include <vector>

namespace faultline::exec {

// Reads the library's files, if there are any. In the supervisor: workers cannot open them.
void load_fortran_runtime();

// Lets code that is linked from now on use the library. Its variables are added to `globals` when it is linked, which
// is when the first symbol is looked up. Throws std::runtime_error if the library is not there.
void add_fortran_runtime(llvm::orc::LLJIT& jit, std::vector<Global>& globals);

// Standard output, of code that has the library.
void flush_fortran_output(Jit& jit);

} // namespace faultline::exec
