#include "frontend/compiling/project_folders.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <system_error>

namespace faultline::frontend {

namespace {

namespace fs = std::filesystem;

constexpr const char* system_folders[] = {"/usr", "/opt"};

fs::path current_folder() {
  std::error_code ignored;
  return fs::current_path(ignored);
}

// Before data can change it: the campaign's folder names the folder of its sources.
const fs::path started_in = current_folder();

fs::path real_path(const fs::path& path) {
  std::error_code error;
  fs::path real = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error)
    return {};
  return real.has_filename() ? real : real.parent_path(); // a/b/ is a/b
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

// True for folders that also have what is not of the project.
bool is_too_wide(const fs::path& folder) {
  const char* home = std::getenv("HOME");
  std::error_code error;
  const bool is_anybodys = (fs::status(folder, error).permissions() & fs::perms::others_write) != fs::perms::none;
  return folder == folder.root_path() || is_anybodys || (home && *home && is_below(real_path(home), folder));
}

// Returns the folder of the checkout that the folder is in; empty if there is none.
fs::path checkout_of(const fs::path& folder) {
  for (fs::path above = folder; !is_too_wide(above); above = above.parent_path())
    for (const char* mark : {".git", ".hg", ".svn"})
      if (std::error_code error; fs::exists(above / mark, error))
        return above;
  return {};
}

fs::path common_folder(const fs::path& one, const fs::path& other) {
  fs::path common;
  for (auto left = one.begin(), right = other.begin(); left != one.end() && right != other.end() && *left == *right;
       ++left, ++right)
    common /= *left;
  return common;
}

} // namespace

ProjectFolders::ProjectFolders(const std::vector<std::string>& named) {
  add_folder(started_in);
  fs::path common;
  for (const std::string& file : named) {
    add(file);
    const fs::path folder = real_path(file).parent_path();
    common = common.empty() ? folder : common_folder(common, folder);
  }
  if (!common.empty() && !is_too_wide(common))
    add_folder(common);
}

// A link to a source has two folders.
void ProjectFolders::add(const std::string& file) {
  add_folder(real_path(file).parent_path());
  add_folder(fs::absolute(file).parent_path());
}

void ProjectFolders::add_folder(const fs::path& folder) {
  const fs::path real = real_path(folder);
  if (real.empty() || real == real.root_path() || std::ranges::find(folders_, real) != folders_.end())
    return;
  folders_.push_back(real);
  if (const fs::path checkout = checkout_of(real); !checkout.empty())
    add_folder(checkout);
}

bool ProjectFolders::contain(const fs::path& path) const {
  const fs::path real = real_path(path);
  const auto has = [&](const fs::path& folder) { return is_below(real, folder); };
  return !real.empty() && (std::ranges::any_of(folders_, has) || std::ranges::any_of(system_folders, has));
}

} // namespace faultline::frontend
