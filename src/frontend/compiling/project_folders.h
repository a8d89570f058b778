// The folders into which the compiler flags of a file may lead: those of the project, and the system's.
//
// The project is what the user named: the folders of the sources and of the file with the flags, the folder that has
// them all, and the folder in which Faultline was started. A checkout (of git, Mercurial or Subversion) is one project.
// But neither the root folder, nor the user's home or a folder above it, is a project because something in it is.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace faultline::frontend {

class ProjectFolders {
public:
  ProjectFolders() : ProjectFolders(std::vector<std::string>{}) {}
  explicit ProjectFolders(const std::vector<std::string>& named);

  void add(const std::string& file);

  // Links are followed; what does not exist counts by its name. The system's folders are /usr and /opt.
  bool contain(const std::filesystem::path& path) const;

private:
  void add_folder(const std::filesystem::path& folder);

  std::vector<std::filesystem::path> folders_;
};

} // namespace faultline::frontend
