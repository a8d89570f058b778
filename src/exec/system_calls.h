// The filter of system calls (seccomp): what computing needs goes through, by the call and, where it matters, by its
// arguments. What is refused fails with EPERM, and opening a file for writing with EROFS, as on a strict system.
#pragma once

namespace faultline::exec {

struct AllowedCalls {
  bool opening = false; // files, for reading: paths are Landlock's business. Otherwise it fails with EACCES
  bool becoming_another =
      false; // the process may replace itself by another program, which the filter holds for as well
};

// Installs the filter. Returns 0, or the errno of a kernel that has none. The process must have given up new
// privileges.
int filter_system_calls(const AllowedCalls& allowed);

} // namespace faultline::exec
