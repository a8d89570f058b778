// One run at a time: a lock on a file in the campaign's folder.
//
// It is the kernel's (fcntl), so that no lock outlives its process, whatever ended it. It belongs to the process and is
// not inherited: workers that outlive their supervisor for a moment do not hold it. And the kernel tells who has it,
// which is how `faultline campaign stop` finds the process.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>

namespace faultline::campaign {

class RunLock {
public:
  // Throws UserError: another process has it.
  explicit RunLock(const std::string& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

private:
  int descriptor_;
};

// The process that has it; none if nobody has. 0: one that cannot be seen from here, of another machine or container.
std::optional<pid_t> holder_of_lock(const std::string& folder);

} // namespace faultline::campaign
