// What the kernel says of a process, without asking the process.
#pragma once

#include <cstdint>
#include <optional>
#include <sys/types.h>

namespace faultline::exec {

struct ProcessState {
  char state = 0;     // R: it runs, or would if a processor were free; S: it sleeps; T: it is stopped; ...
  uint64_t ticks = 0; // of CPU time so far

  bool sleeps() const { return state == 'S' || state == 'T'; }
};

// None where there is no /proc, or no such process.
std::optional<ProcessState> state_of(pid_t process);

} // namespace faultline::exec
