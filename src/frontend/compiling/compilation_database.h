// compile_commands.json: how a build compiles its files.
#pragma once

#include "frontend/compiling/flag_filter.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace faultline::frontend {

// The flags and the directory that a compilation database gives for a file.
struct DatabaseEntry {
  std::vector<std::string> flags;
  std::string directory;
  std::string neighbour; // the file that they are recorded for, if the database does not list this one
};

class CompilationDatabase {
public:
  // `database` is the file, or the folder it lies in. It is read once; what is kept of it is about these files, and one
  // file of each folder and language, whose flags stand in for those of files that are not listed. Throws UserError if
  // it cannot be read.
  CompilationDatabase(const std::string& database, const std::vector<std::string>& files, Trust trust);

  // Throws UserError: the database lists neither the file nor another one of its language; or has a flag for it that is
  // not taken from a file (frontend/compiling/flag_filter.h).
  DatabaseEntry entry_for(const std::string& file) const;

private:
  struct Command {
    std::filesystem::path file;
    std::filesystem::path directory;
    std::vector<std::string> call;
  };
  const Command* nearest(const std::filesystem::path& file) const;

  std::filesystem::path path_;
  Trust trust_;
  std::map<std::filesystem::path, Command> listed_; // of the files that are asked for, the first of each
  std::vector<Command> neighbours_;                 // in their order
};

// The C, C++ and Fortran files that it lists and that are there, each once, in its order; as people would type them.
// Throws UserError if there is none.
std::vector<std::string> files_in_database(const std::string& database);

} // namespace faultline::frontend
