// The filter of system calls (seccomp). It allows what computing needs, by call and, where necessary, by argument.
// Refused calls fail with EPERM, and opening a file for writing with EROFS.
#pragma once

namespace faultline::exec {

struct AllowedCalls {
  bool opening = false; // files, for reading (Landlock restricts the paths). If false, opening fails with EACCES
  bool becoming_another = false; // the process may execute another program, to which the filter also applies
};

// Installs the filter. Returns 0, or the errno of a kernel without seccomp. The process must have given up new
// privileges.
int filter_system_calls(const AllowedCalls& allowed);

} // namespace faultline::exec
