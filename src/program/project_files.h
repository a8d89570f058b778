// The files of a project. A source can name any file: by #include, #embed or INCLUDE, and by #line, which debug
// information repeats; a findings file can name any file, too. Compilers read, and reports show, only files that belong
// to the project, so that a source or a report from elsewhere cannot show your private files.
//
// To the project of a source belong
//   its folder;
//   the nearest folder above it that a version control system made (.git, .hg, .svn) or that has a faultline.toml;
//   the current folder, if the source is below it;
//   the folders of the compilation database and of compiler flags with a path (-I);
//   the folders of --allow-read.
// A folder that is shared with other users, a home folder and the folders above it only count as the source's own.
#pragma once

#include "base/files.h"
#include "program/sources.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::program {

// Returns the folders, without links.
std::vector<std::string> project_folders(const Sources& sources);

// The same for a saved command, whose words are data. Only those of its sources count that belong to the project of the
// folder in which the reader works, or of the folder that holds the saved file.
class SavedProject {
public:
  explicit SavedProject(const std::string& file); // keeps the current folder, which may change before `folders`
  std::vector<std::string> folders(const std::vector<std::string>& command) const;

private:
  std::vector<std::string> places_;
};

// Returns the files and folders that compiler flags name, relative to `directory` if it is not empty.
std::vector<std::string> paths_in_flags(const std::vector<std::string>& flags, const std::string& directory);

// Returns the files and folders of compilers: headers, libraries, programs. `program` is found on PATH.
std::vector<std::string> files_of_compiler(const std::string& program);

} // namespace faultline::program
