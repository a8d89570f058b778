// Which files a process may still open, by their paths: a filter of system calls sees addresses of names and not the
// names, so this is the business of the kernel's Landlock. It also keeps signals from leaving the process.
#pragma once

#include <string>
#include <vector>

namespace faultline::exec {

// Has this kernel a Landlock, and is it switched on?
bool has_landlock();

struct Readable {
  std::vector<std::string> paths; // files, and folders with all that is in them; those that are not there are left out
  std::vector<std::string> executables; // may be read and started
};

// From now on this process opens these for reading, and nothing else. Needs no privilege but that of having given up
// new ones. False where the kernel refuses.
bool open_only(const Readable& readable);

} // namespace faultline::exec
