// Writes the harness of a Fortran procedure: a subroutine of numbers and arrays that makes the arguments, calls the
// procedure, and returns its results.
//
// It is part of a submodule of the procedure's module, where private names are visible. The harness of an external
// procedure is in a module of its own.
#pragma once

#include "program/compile.h"
#include "program/fortran/procedure.h"
#include "program/harness_note.h"

#include <functional>
#include <map>
#include <string>

namespace faultline::program {

// A Fortran file as flang parses it: the names in it, and the code of its procedures.
struct FortranSource {
  FortranScope global;
  std::map<std::string, FortranBody> bodies;

  FortranNames names() const { return FortranNames(global); }
  const FortranBody& body_of(const FortranProcedure& procedure) const; // empty if it does not exist
  // The use of a dummy argument: from its intent, or from the code.
  FortranBody::Use use_of(const FortranEntity& dummy, const FortranProcedure& procedure) const;
};

// Returns the file that defines an external procedure; null if there is none.
using DefinedElsewhere = std::function<const FortranSource*(const std::string& procedure)>;

// Reads a file with flang, within the limits of a compiler. Drops flags that only affect code generation. Returns an
// empty source if flang fails: compiling the file then reports the reason.
FortranSource read_fortran(const std::string& file, const std::vector<std::string>& flags, const Compilation& how);

// Returns the interface of a procedure argument: as declared, as used in a call, or as another procedure uses it that
// gets the argument. Throws std::invalid_argument with the reason if it is unknown.
FortranProcedure interface_of(const FortranEntity& dummy, const FortranProcedure& procedure,
                              const FortranSource& source, const DefinedElsewhere& elsewhere);

// Writes the harness of a procedure to `note`, which identifies it: name, text, parameters and families, or the reason
// why there is none, with a text to start from.
void write_fortran_harness(const FortranProcedure& procedure, const FortranSource& source,
                           const DefinedElsewhere& elsewhere, const model::Sizes& sizes, HarnessNote& note);

} // namespace faultline::program
