#include "frontend/path.h"

#include <filesystem>

namespace faultline::frontend {

std::string shown_path(const std::string& directory, const std::string& file) {
  std::filesystem::path path(file);
  if (path.is_relative() && !directory.empty())
    path = std::filesystem::path(directory) / path;
  path = path.lexically_normal();
  std::error_code ignored;
  auto relative = path.lexically_relative(std::filesystem::current_path(ignored));
  if (!relative.empty() && relative.begin()->string() != "..")
    return relative.string();
  return path.string();
}

} // namespace faultline::frontend
