// A folder that is there only as long as this object: for the module files that Fortran compilers insist on writing.
// Where we are killed while a compiler runs, the compiler's keeper removes it (compiling/compiler_process.h).
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

  // Of this process, or of the one that it was forked from.
  static void remove_all();

private:
  std::filesystem::path path_;
};

} // namespace faultline::frontend
