// A folder that is there only as long as this object: for the module files that Fortran compilers insist on writing.
#pragma once

#include <filesystem>
#include <string>

namespace faultline::frontend {

class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string path() const { return path_.string(); }

private:
  std::filesystem::path path_;
};

} // namespace faultline::frontend
