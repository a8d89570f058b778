#include "frontend/temporary_folder.h"

#include "frontend/error.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>

namespace faultline::frontend {

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
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

} // namespace faultline::frontend
