#include "exec/child_program.h"

#include "exec/sandbox.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace faultline::exec {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t most_output = 1 << 20;
constexpr int could_not_start = 127; // what shells say, too
constexpr int poll_milliseconds = 20;

[[noreturn]] void become(std::vector<char*>& arguments, int output, const ChildLimits& limits) {
  setpgid(0, 0); // so that what a compiler starts can be killed with it
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, 0);
  dup2(output, 1);
  dup2(output, 2);
  close_range(3, ~0u, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGINT, SIG_DFL);
  if (limits.confined) {
    limit_process(*limits.confined);
    filter_system_calls(true);
  }
  execvp(arguments[0], arguments.data());
  _exit(could_not_start);
}

// What is there to read. False at the end.
bool receive(int descriptor, std::string& output) {
  char chunk[1 << 14];
  const ssize_t count = read(descriptor, chunk, sizeof chunk);
  if (count < 0)
    return errno == EINTR || errno == EAGAIN;
  output.append(chunk, std::min(size_t(count), most_output - std::min(most_output, output.size())));
  return count > 0;
}

} // namespace

ChildEnd run_program(const std::vector<std::string>& command, const ChildLimits& limits) {
  std::vector<char*> arguments;
  for (const std::string& word : command)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0)
    throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (child == 0)
    become(arguments, ends[1], limits);
  setpgid(child, child); // in both processes: either may be first
  close(ends[1]);

  ChildEnd end;
  const auto deadline = Clock::now() + std::chrono::duration<double>(limits.seconds);
  bool open = true;
  int state = 0;
  for (pid_t gone = 0; gone != child;) { // it may close its output and go on, or leave it open to another
    pollfd waiting{ends[0], POLLIN, 0};
    if (poll(&waiting, open ? 1 : 0, poll_milliseconds) > 0 && open)
      open = receive(ends[0], end.output);
    if (!end.timed_out && Clock::now() > deadline) {
      end.timed_out = true;
      kill(-child, SIGKILL);
    }
    gone = waitpid(child, &state, WNOHANG);
    if (gone < 0 && errno != EINTR)
      break;
  }
  pollfd rest{ends[0], POLLIN, 0};
  while (open && poll(&rest, 1, 0) > 0)
    open = receive(ends[0], end.output);
  close(ends[0]);
  end.signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
  end.status = WIFEXITED(state) ? WEXITSTATUS(state) : 0;
  end.started = end.status != could_not_start;
  return end;
}

} // namespace faultline::exec
