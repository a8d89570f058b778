// The folders into which the compiler flags of a file may lead: those of the project, and the system's.
//
// The project is what the user named: the folders of the sources and of the file with the flags, the folder that has
// them all, and the folder in which Faultline was started. A checkout (of git, Mercurial or Subversion) is one project.
// But neither the root folder, nor the user's home or a folder above it, is a project because something in it is.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

namespace faultline::program {

// Returns the path without links; empty if there is no such file.
std::string without_links(const std::filesystem::path& path);

// True for folders that hold more than a project: the root, the user's home, and the folders above it.
bool is_too_wide(const std::string& folder);

// False for such folders, and for those in which every user may make files (/tmp).
bool can_be_project(const std::string& folder);

// Returns the nearest folder at or above this one that has one of these entries; empty if there is none.
std::string marked_above(const std::string& folder, std::initializer_list<const char*> marks);

class ProjectFolders {
public:
  ProjectFolders() : ProjectFolders(std::vector<std::string>{}) {}
  explicit ProjectFolders(const std::vector<std::string>& named);

  void add(const std::string& file);

  // Links are followed; what does not exist counts by its name. The system's folders are /usr and /opt.
  bool contain(const std::filesystem::path& path) const;

private:
  void add_folder(const std::string& folder);

  std::vector<std::string> folders_;
};

} // namespace faultline::program
