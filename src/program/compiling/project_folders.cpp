#include "program/compiling/project_folders.h"

#include "base/files.h"

#include <algorithm>
#include <cstdlib>
#include <pwd.h>
#include <system_error>
#include <unistd.h>

namespace faultline::program {

namespace {

namespace fs = std::filesystem;

const std::string system_folders[] = {"/usr", "/opt"};

std::string current_folder() {
  std::error_code ignored;
  return fs::current_path(ignored).string();
}

// Before data can change it: the campaign's folder names the folder of its sources.
const std::string started_in = current_folder();

// Of a path that may not exist.
std::string real_path(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? "" : (real.has_filename() ? real : real.parent_path()).string(); // a/b/ is a/b
}

std::string home() {
  const char* named = std::getenv("HOME");
  const passwd* entry = named && *named ? nullptr : getpwuid(getuid());
  return without_links(entry ? entry->pw_dir : named ? named : "");
}

fs::path common_folder(const fs::path& one, const fs::path& other) {
  fs::path common;
  for (auto left = one.begin(), right = other.begin(); left != one.end() && right != other.end() && *left == *right;
       ++left, ++right)
    common /= *left;
  return common;
}

} // namespace

std::string without_links(const fs::path& path) {
  std::error_code error;
  const fs::path found = fs::canonical(path, error);
  return error ? "" : found.string();
}

bool is_too_wide(const std::string& folder) {
  const std::string own = home();
  return folder == "/" || (!own.empty() && base::is_inside(own, folder));
}

bool can_be_project(const std::string& folder) {
  std::error_code error;
  return !folder.empty() && !is_too_wide(folder) &&
         (fs::status(folder, error).permissions() & fs::perms::others_write) == fs::perms::none;
}

std::string marked_above(const std::string& folder, std::initializer_list<const char*> marks) {
  for (fs::path at = folder; can_be_project(at.string()); at = at.parent_path())
    for (const char* mark : marks)
      if (std::error_code error; fs::exists(at / mark, error))
        return at.string();
  return {};
}

ProjectFolders::ProjectFolders(const std::vector<std::string>& named) {
  add_folder(started_in);
  fs::path common;
  for (const std::string& file : named) {
    add(file);
    const fs::path folder = fs::path(real_path(file)).parent_path();
    common = common.empty() ? folder : common_folder(common, folder);
  }
  if (can_be_project(common.string()))
    add_folder(common.string());
}

// A link to a source has two folders.
void ProjectFolders::add(const std::string& file) {
  add_folder(fs::path(real_path(file)).parent_path().string());
  add_folder(fs::absolute(file).parent_path().string());
}

void ProjectFolders::add_folder(const std::string& folder) {
  const std::string real = real_path(folder);
  if (real.empty() || real == "/" || std::ranges::find(folders_, real) != folders_.end())
    return;
  folders_.push_back(real);
  if (const std::string checkout = marked_above(real, {".git", ".hg", ".svn"}); !checkout.empty())
    add_folder(checkout);
}

bool ProjectFolders::contain(const fs::path& path) const {
  const std::string real = real_path(path);
  const auto has = [&](const std::string& folder) { return base::is_inside(real, folder); };
  return !real.empty() && (std::ranges::any_of(folders_, has) || std::ranges::any_of(system_folders, has));
}

} // namespace faultline::program
