#include "frontend/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace faultline::frontend {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "faultline-XXXXXX").string();
  if (!mkdtemp(name.data()))
    throw std::system_error(errno, std::generic_category(), "cannot make a temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

} // namespace faultline::frontend
