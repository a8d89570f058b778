// compile_commands.json: the commands with which a build compiles its files.
#pragma once

#include "program/compiling/flag_filter.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace faultline::program {

// A file's flags and directory in a compilation database.
struct DatabaseEntry {
  std::vector<std::string> flags;
  std::string directory;
  std::string neighbour; // the file whose flags these are, if the database does not list the requested one
};

// Returns the file, which may be named by its folder.
std::filesystem::path database_file(const std::filesystem::path& database);

class CompilationDatabase {
public:
  // `database` is the file or its folder. It is read once. Kept are the entries of these files, and one entry for each
  // folder and language, whose flags are used for files that are not listed. Flags may lead into
  // `project` and the folder of the database. Throws UserError if it cannot be read.
  CompilationDatabase(const std::string& database, const std::vector<std::string>& files, Trust trust,
                      const ProjectFolders& project = {});

  // Throws UserError if the database lists neither the file nor another one of its language, or if it has a flag that
  // is not accepted from a file (program/compiling/flag_filter.h).
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
  ProjectFolders project_;
  std::map<std::filesystem::path, Command> listed_; // the first entry of each requested file
  std::vector<Command> neighbours_;                 // in database order
};

// Returns the existing C, C++ and Fortran files of the database, each once, in its order, as paths that a user would
// type. Throws UserError if there is none.
std::vector<std::string> files_in_database(const std::string& database);

} // namespace faultline::program
