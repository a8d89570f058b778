// The files of a program, read one after the other, each in its turn: Fortran's by their modules, all by the flags that
// their build records. One that does not compile does not lose the others.
#pragma once

#include "frontend/compiling/fortran_statements.h"
#include "frontend/sources.h"
#include "frontend/unit.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace faultline::frontend {

struct LoadedFiles {
  std::vector<Unit> units;           // in the order in which the files are given
  std::vector<std::string> left_out; // files that do not compile
  std::vector<std::string> remarks;  // what the user should know of them, and of flags that were guessed
};

// Throws UserError: a file is missing; the only file, or every one, does not compile or is malformed.
LoadedFiles load_files(const Sources& sources);

// Fortran files in the order in which they can be compiled: who defines a module comes before who uses it.
struct FortranOrder {
  std::vector<std::string> files;   // the Fortran files in the places of the Fortran files, as they are given otherwise
  std::vector<std::string> remarks; // on files that need each other
};

// Files that cannot be read are left where they are: the compiler tells why.
FortranOrder in_order_of_modules(const std::vector<std::string>& files);

// The modules that a Fortran source defines and uses, by a look at its lines: enough to order files, without a
// compiler. Comments, strings and continued lines are understood, in fixed and in free form; conditions of the
// preprocessor are not: whatever they guard counts.
struct FortranModules {
  std::set<std::string> defined; // in lower case; a submodule is ancestor:name
  std::set<std::string> used;    // not those that the compiler has (iso_c_binding)
};

// The text of a file that an include line names; empty: it is not there.
using IncludedText = std::function<std::string(const std::string& file)>;

FortranModules modules_in(const std::string& text, FortranForm form, const IncludedText& included);

} // namespace faultline::frontend
