#include "exec/process_state.h"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::exec {

std::optional<ProcessState> state_of(pid_t process) {
  const int file = open(fmt::format("/proc/{}/stat", process).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return std::nullopt;
  char text[1024];
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0)
    return std::nullopt;
  text[length] = 0;
  // The name of the program stands in parentheses before the state, and may have some of its own (proc(5)).
  const char* after_name = std::strrchr(text, ')');
  ProcessState state;
  unsigned long user = 0, system = 0;
  if (!after_name || std::sscanf(after_name + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state.state,
                                 &user, &system) != 3)
    return std::nullopt;
  state.ticks = user + system;
  return state;
}

} // namespace faultline::exec
