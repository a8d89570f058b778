// The harness of a Fortran procedure: a subroutine of numbers and arrays that makes the arguments, calls it, and hands
// out what it gives.
//
// It stands in a submodule of the procedure's module, where private names are known, too; that of an external procedure
// in a module of its own.
#pragma once

#include "frontend/fortran/source.h"
#include "frontend/harness/harness_note.h"

namespace faultline::frontend {

// What is asked of one procedure: `note` says which it is. Its name, text, parameters and families are filled in, or
// the reason why there is no harness; then the text is one to begin with.
void write_fortran_harness(const FortranProcedure& procedure, const FortranSource& source,
                           const DefinedElsewhere& elsewhere, const Sizes& sizes, HarnessNote& note);

} // namespace faultline::frontend
