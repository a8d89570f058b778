// A folder that is there only as long as this object: for the module files that Fortran compilers insist on writing.
//
// It goes with us, whatever ends us: a process of its own has made it, learns of our death from the kernel, and removes
// it.
#pragma once

#include "base/process.h"

#include <filesystem>
#include <string>

namespace faultline::frontend {

class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder(); // in a fork of the process that made it, does nothing
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string path() const { return path_.string(); }

private:
  std::filesystem::path path_;
  pid_t owner_;
  base::Process keeper_;
};

} // namespace faultline::frontend
