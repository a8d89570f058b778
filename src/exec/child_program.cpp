#include "exec/child_program.h"

#include "exec/sandbox/sandbox.h"

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
#include <utility>

namespace faultline::exec {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t most_output = 1 << 20;
constexpr int could_not_start = 127; // what shells say, too
constexpr int lack_descriptor = 3;   // says why there is no sandbox, and is closed when the program starts
constexpr int poll_milliseconds = 20;

[[noreturn]] void become(std::vector<char*>& arguments, int output, int lack_to, const ChildLimits& limits) {
  setpgid(0, 0); // so that what a compiler starts can be killed with it
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, 0);
  dup2(output, 1);
  dup2(output, 2);
  if (lack_to != lack_descriptor)
    dup3(lack_to, lack_descriptor, O_CLOEXEC);
  close_range(lack_descriptor + 1, ~0u, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGINT, SIG_DFL);
  if (limits.memory) {
    limit_process(*limits.memory);
    Confinement confinement = limits.confinement;
    confinement.program = arguments[0];
    if (const std::string lack = confine(confinement); !lack.empty()) {
      [[maybe_unused]] const ssize_t told = write(lack_descriptor, lack.data(), lack.size());
      _exit(could_not_start);
    }
  }
  execvp(arguments[0], arguments.data());
  _exit(could_not_start);
}

// Both ends of a line that programs do not inherit.
struct Line {
  int ends[2] = {-1, -1};

  Line() {
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
  }
  ~Line() {
    for (const int end : ends)
      if (end >= 0)
        close(end);
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  void close_writing() { close(std::exchange(ends[1], -1)); }
};

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
  Line said, lack;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0)
    throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (child == 0)
    become(arguments, said.ends[1], lack.ends[1], limits);
  setpgid(child, child); // in both processes: either may be first
  said.close_writing();
  lack.close_writing();
  std::string lacking;
  while (receive(lack.ends[0], lacking)) { // ends when the program starts
  }
  if (!lacking.empty()) {
    waitpid(child, nullptr, 0);
    refuse_unconfined(lacking);
  }

  ChildEnd end;
  const auto deadline = Clock::now() + std::chrono::duration<double>(limits.seconds);
  bool open = true;
  int state = 0;
  for (pid_t gone = 0; gone != child;) { // it may close its output and go on, or leave it open to another
    pollfd waiting{said.ends[0], POLLIN, 0};
    if (poll(&waiting, open ? 1 : 0, poll_milliseconds) > 0 && open)
      open = receive(said.ends[0], end.output);
    if (!end.timed_out && Clock::now() > deadline) {
      end.timed_out = true;
      kill(-child, SIGKILL);
    }
    gone = waitpid(child, &state, WNOHANG);
    if (gone < 0 && errno != EINTR)
      break;
  }
  pollfd rest{said.ends[0], POLLIN, 0};
  while (open && poll(&rest, 1, 0) > 0)
    open = receive(said.ends[0], end.output);
  end.signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
  end.status = WIFEXITED(state) ? WEXITSTATUS(state) : 0;
  end.started = end.status != could_not_start;
  return end;
}

} // namespace faultline::exec
