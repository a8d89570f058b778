#include "program/project_files.h"

#include "program/compiling/project_folders.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>
#include <unistd.h>

namespace faultline::program {

namespace {

namespace fs = std::filesystem;

std::string marked_above(const std::string& folder) {
  return program::marked_above(folder, {".git", ".hg", ".svn", "faultline.toml"});
}

class Folders {
public:
  void add(const std::string& folder) {
    if (!folder.empty() && std::ranges::find(all_, folder) == all_.end())
      all_.push_back(folder);
  }
  void add_projects_of(const std::string& folder) {
    if (folder.empty() || folder == "/")
      return;
    add(folder);
    add(marked_above(folder));
    const std::string here = without_links(".");
    if (base::is_inside(folder, here) && can_be_project(here))
      add(here);
  }
  const std::vector<std::string>& all() const { return all_; }

private:
  std::vector<std::string> all_;
};

std::string folder_of(const std::string& file) {
  std::error_code error;
  const fs::path path = fs::absolute(file, error);
  return without_links(fs::is_directory(path, error) ? path : path.parent_path());
}

// Returns the folders in a variable of the environment.
std::vector<std::string> folders_in(const char* variable) {
  const char* value = std::getenv(variable);
  std::string_view rest = value ? value : "";
  std::vector<std::string> folders;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    if (!folder.empty())
      folders.emplace_back(folder);
  }
  return folders;
}

} // namespace

std::vector<std::string> project_folders(const Sources& sources) {
  Folders folders;
  if (!sources.compilation_database.empty()) {
    const std::string folder = folder_of(sources.compilation_database);
    folders.add_projects_of(folder);
    if (const std::string above = fs::path(folder).parent_path().string(); can_be_project(above))
      folders.add(above); // src/ next to build/
  }
  std::set<std::string> seen;
  for (const std::string& file : sources.files)
    if (const std::string folder = folder_of(file);
        seen.insert(folder).second && (!sources.of_database || base::is_below(folder, folders.all())))
      folders.add_projects_of(folder); // a database is data: it does not choose folders
  for (const std::string& file : sources.files)
    if (std::error_code error; !sources.of_database && !sources.of_saved_command && fs::is_symlink(file, error))
      folders.add(without_links(file));
  for (const std::string& path : paths_in_flags(sources.flags, ""))
    folders.add(path);
  for (const std::string& path : sources.readable)
    folders.add(without_links(path));
  return folders.all();
}

SavedProject::SavedProject(const std::string& file) {
  for (const std::string& place : {without_links("."), folder_of(file)})
    for (const std::string& folder : {place, marked_above(place)})
      if (!folder.empty())
        places_.push_back(folder);
}

std::vector<std::string> SavedProject::folders(const std::vector<std::string>& command) const {
  Folders folders;
  for (const std::string& word : command) {
    if (word == "--")
      break;
    if (const std::string path = without_links(word); !path.empty() && base::is_below(path, places_))
      folders.add_projects_of(folder_of(path));
  }
  return folders.all();
}

std::vector<std::string> paths_in_flags(const std::vector<std::string>& flags, const std::string& directory) {
  constexpr std::string_view names[] = {// one that begins another comes after it
                                        "@",
                                        "--config",
                                        "-include-pch",
                                        "-include",
                                        "-imacros",
                                        "-isystem-after",
                                        "-isystem",
                                        "-isysroot",
                                        "-iquote",
                                        "-idirafter",
                                        "-iprefix",
                                        "-ivfsoverlay",
                                        "-cxx-isystem",
                                        "-c-isystem",
                                        "-I",
                                        "-J",
                                        "-F",
                                        "--sysroot",
                                        "-resource-dir",
                                        "--gcc-toolchain",
                                        "--embed-dir",
                                        "-B",
                                        "-fmodule-file",
                                        "-fmodule-map-file",
                                        "-fplugin",
                                        "-fpass-plugin",
                                        "-fprofile-use",
                                        "-fprofile-instr-use"};
  constexpr std::string_view others_in_two_words[] = {"-D",  "-U",  "-x",      "-target", "-o",
                                                      "-MF", "-MT", "-Xclang", "-mllvm"};
  std::vector<std::string> paths;
  const auto add = [&](std::string_view text) {
    text.remove_prefix(text.starts_with('='));
    std::string path = without_links(fs::path(directory) / text);
    if (!path.empty() && !is_too_wide(path))
      paths.push_back(std::move(path));
  };
  for (size_t i = 0; i < flags.size(); ++i) {
    if (std::ranges::find(others_in_two_words, flags[i]) != std::end(others_in_two_words)) {
      ++i;
      continue;
    }
    const auto* name = std::ranges::find_if(names, [&](std::string_view begin) { return flags[i].starts_with(begin); });
    if (name == std::end(names))
      continue;
    if (flags[i].size() > name->size())
      add(std::string_view(flags[i]).substr(name->size()));
    else if (i + 1 < flags.size())
      add(flags[++i]);
  }
  return paths;
}

std::vector<std::string> files_of_compiler(const std::string& program) {
  // Libraries, headers and programs of the system, and the few files by which compilers recognise it.
  std::vector<std::string> files = {"/usr",
                                    "/bin",
                                    "/sbin",
                                    "/lib",
                                    "/lib32",
                                    "/lib64",
                                    "/nix/store",
                                    "/gnu/store",
                                    "/etc/alternatives",
                                    "/etc/ld.so.cache",
                                    "/etc/localtime",
                                    "/etc/os-release",
                                    "/etc/lsb-release",
                                    "/etc/debian_version",
                                    "/etc/redhat-release",
                                    "/dev/null",
                                    "/dev/urandom",
                                    "/proc/cpuinfo"};
  for (const char* variable : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH"})
    for (const std::string& folder : folders_in(variable))
      files.push_back(folder);
  fs::path found = program;
  if (program.find('/') == program.npos)
    for (const std::string& folder : folders_in("PATH"))
      if (access((fs::path(folder) / program).c_str(), X_OK) == 0) {
        found = fs::path(folder) / program;
        break;
      }
  for (const fs::path& path : {found, fs::path(without_links(found)), fs::path(without_links("/proc/self/exe"))}) {
    files.push_back(path.string());
    for (const char* folder : {"lib", "include", "share", "libexec"})
      files.push_back((path.parent_path().parent_path() / folder).string());
  }
  return files;
}

} // namespace faultline::program
