// The inputs from which a program is loaded, as given by the user.
#pragma once

#include "program/compiling/flag_filter.h"
#include "program/fpcore/expression_writer.h"
#include "program/target_names.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace faultline::program {

class CompilationDatabase;

struct Sources {
  std::vector<std::string> files;
  std::vector<std::string> flags;   // after --, and from files, if they are safe to use
  std::string compilation_database; // -p
  Trust trust = Trust::no;          // --trust-flags: for flags of the database
  ProjectFolders project = {};      // where flags of the database, and of built objects, may lead
  // Not optimised: every condition of the source is a branch of its own. The optimiser evaluates conditions early and
  // merges others. Bitcode is used as it is.
  bool as_written = false;
  // For harnesses (program/harnessed_source.h): the requested functions, and the sizes of their arguments.
  std::vector<std::string> functions = {};
  ShapesOf shapes_of = {};
  std::vector<std::string> readable = {}; // --allow-read: sources may name the files in these folders, too
  // The folders of the project (program/project_files.h), kept while the files are loaded.
  std::optional<std::vector<std::string>> folders = {};
  std::vector<std::string> rejects = {}; // --reject (program/handlers.h): the compiler must not inline their calls
  fpcore::Preconditions preconditions = fpcore::Preconditions::checked; // of FPCores, beyond ranges
  bool of_database = false;      // the files are those of the database: only -p was given
  bool of_saved_command = false; // a file names them: they may not be links that lead elsewhere
  // Text that is compiled in place of a file's, by the name of the file: a patch that is tried.
  std::map<std::string, std::string> texts = {};
  std::shared_ptr<const CompilationDatabase> recorded = {}; // the database, kept while the files are loaded
};

} // namespace faultline::program
