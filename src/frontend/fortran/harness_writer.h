// The harness of a Fortran procedure: a subroutine of numbers and arrays that makes the arguments, calls it, and hands
// out what it gives.
//
// It stands in a submodule of the procedure's module, where private names are known, too; that of an external procedure
// in a module of its own.
#pragma once

#include "frontend/fortran/procedure.h"
#include "frontend/harness_note.h"

#include <functional>
#include <map>
#include <string>

namespace faultline::frontend {

// A Fortran file as flang understands it: the names in it, and what its procedures do.
struct FortranSource {
  FortranScope global;
  std::map<std::string, FortranBody> bodies;

  FortranNames names() const { return FortranNames(global); }
  const FortranBody& body_of(const FortranProcedure& procedure) const; // empty if it is not there
  // Of a dummy argument: by its intent, or by what is done with it.
  FortranBody::Use use_of(const FortranEntity& dummy, const FortranProcedure& procedure) const;
};

// The file in which an external procedure is defined; null: it is in none.
using DefinedElsewhere = std::function<const FortranSource*(const std::string& procedure)>;

// Runs flang to find out, within the limits of a compiler. Flags that only matter to its code are left aside. An empty
// source if flang fails: whoever compiles the file tells why.
FortranSource read_fortran(const std::string& file, const std::vector<std::string>& flags, const std::string& directory,
                           const std::string& module_folder);

// The interface by which a procedure calls its argument: that which it declares; or as it calls it; or as another
// procedure does that it hands it to. Throws std::invalid_argument with the reason if nobody knows.
FortranProcedure interface_of(const FortranEntity& dummy, const FortranProcedure& procedure,
                              const FortranSource& source, const DefinedElsewhere& elsewhere);

// What is asked of one procedure: `note` says which it is. Its name, text, parameters and families are filled in, or
// the reason why there is no harness; then the text is one to begin with.
void write_fortran_harness(const FortranProcedure& procedure, const FortranSource& source,
                           const DefinedElsewhere& elsewhere, const Sizes& sizes, HarnessNote& note);

} // namespace faultline::frontend
