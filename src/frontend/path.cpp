#include "frontend/path.h"

#include <filesystem>

namespace faultline::frontend {

namespace {

std::filesystem::path& said_folder() { // empty: the current one
  static std::filesystem::path folder;
  return folder;
}

} // namespace

void show_paths_from(const std::string& folder) { said_folder() = folder; }

std::string shown_path(const std::string& directory, const std::string& file) {
  std::filesystem::path path(file);
  if (path.is_relative() && !directory.empty())
    path = std::filesystem::path(directory) / path;
  path = path.lexically_normal();
  std::error_code ignored;
  const std::filesystem::path& said = said_folder();
  auto relative = path.lexically_relative(said.empty() ? std::filesystem::current_path(ignored) : said);
  if (!relative.empty() && relative.begin()->string() != "..")
    return relative.string();
  return path.string();
}

} // namespace faultline::frontend
