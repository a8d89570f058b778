// Restricts the files that this process may open, by path, with the kernel's Landlock. A filter of system calls sees
// only the addresses of names.
#pragma once

#include <string>
#include <vector>

namespace faultline::base {

// True if Landlock is available and enabled.
bool has_landlock();

struct Readable {
  std::vector<std::string> paths;            // files, and folders with their contents; missing ones are skipped
  std::vector<std::string> executables = {}; // may be read and started
};

// Lets this process open only these files, for reading. The process must have given up new privileges; no other
// privilege is needed. Also keeps signals inside the process. False if the kernel refuses.
bool open_only(const Readable& readable);

// Lets this process read the contents of only these files. All else stays as it was: it may write files, list folders
// and start programs that it may read. Gives up new privileges. False if the kernel refuses.
bool read_only_from(const std::vector<std::string>& paths);

} // namespace faultline::base
