// What a program is made from, as the user says it.
#pragma once

#include "frontend/compiling/flag_filter.h"
#include "frontend/fpcore/preconditions.h"
#include "frontend/target.h"

#include <memory>
#include <string>
#include <vector>

namespace faultline::frontend {

class CompilationDatabase;

struct Sources {
  std::vector<std::string> files;
  std::vector<std::string> flags;   // after --, and from files, if they are safe to use
  std::string compilation_database; // -p
  Trust trust = Trust::no;          // --trust-flags: of what the database says
  // Not optimised: every condition of the source is a branch of its own. The optimiser evaluates conditions that the
  // source guards, and merges others. Bitcode is taken as it is.
  bool as_written = false;
  // For harnesses (frontend/harness/): the functions that are asked for, and the sizes of their arguments.
  std::vector<std::string> functions = {};
  ShapesOf shapes_of = {};
  std::vector<std::string> rejects = {}; // --reject (frontend/handlers.h): the compiler is to leave their calls alone
  fpcore::Preconditions preconditions = fpcore::Preconditions::checked; // those of FPCores that are more than ranges
  bool of_database = false;                                 // the files are those that the database lists: -p alone
  std::shared_ptr<const CompilationDatabase> recorded = {}; // the database, read, while the files are
};

} // namespace faultline::frontend
