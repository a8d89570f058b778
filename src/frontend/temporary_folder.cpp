#include "frontend/temporary_folder.h"

#include "frontend/error.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <set>

namespace faultline::frontend {
namespace {

std::set<std::filesystem::path>& existing() {
  static std::set<std::filesystem::path> folders;
  return folders;
}

} // namespace

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  std::string name = (folder / "faultline-XXXXXX").string();
  if (error || !mkdtemp(name.data())) {
    const char* said = std::getenv("TMPDIR");
    throw UserError(status_usage,
                    fmt::format("no temporary folder can be made in {}: {}", said && *said ? said : "/tmp",
                                error ? error.message() : std::strerror(errno)),
                    "TMPDIR names a folder that exists and that you may write to");
  }
  path_ = name;
  existing().insert(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  existing().erase(path_);
}

void TemporaryFolder::remove_all() {
  std::error_code ignored;
  for (const std::filesystem::path& folder : existing())
    std::filesystem::remove_all(folder, ignored);
}

} // namespace faultline::frontend
