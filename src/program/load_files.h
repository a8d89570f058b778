// Loads the files of a program: Fortran files in the order of their modules, each file with the flags that its build
// records. A file that does not compile does not affect the others.
#pragma once

#include "program/compiling/fortran_statements.h"
#include "program/sources.h"
#include "program/unit.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace faultline::program {

struct LoadedFiles {
  std::vector<Unit> units;           // in the given order
  std::vector<std::string> left_out; // files that do not compile
  std::vector<std::string> remarks;  // messages about the files, and about guessed flags
};

// Throws UserError if a file is missing, or if the only file, or every file, does not compile or is malformed.
LoadedFiles load_files(const Sources& sources);

// Fortran files in an order in which they compile: a module's definition precedes its uses.
struct FortranOrder {
  std::vector<std::string> files;   // the Fortran files are sorted among themselves; other files keep their places
  std::vector<std::string> remarks; // on files with cyclic dependencies
};

// Unreadable files keep their places: the compiler reports them.
FortranOrder in_order_of_modules(const std::vector<std::string>& files);

// The modules that a Fortran source defines and uses, found by scanning its lines, without a compiler. Handles
// comments, strings and continued lines in fixed and free form, but not the preprocessor: code under any condition
// counts.
struct FortranModules {
  std::set<std::string> defined; // in lower case; a submodule is ancestor:name
  std::set<std::string> used;    // excludes the compiler's own (iso_c_binding)
};

// Returns the text of an included file; empty if it does not exist.
using IncludedText = std::function<std::string(const std::string& file)>;

FortranModules modules_in(const std::string& text, FortranForm form, const IncludedText& included);

} // namespace faultline::program
