#include "frontend/compiling/compiler_process.h"

#include "frontend/compiling/unnamed_file.h"
#include "frontend/error.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace faultline::frontend {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int poll_milliseconds = 50; // how soon a signal to us is seen
constexpr size_t most_errors = 1 << 20;
constexpr const char* compile_it_yourself =
    "compile it yourself, with clang-19 -O2 -g -emit-llvm -c, and name the .bc; or split the file";

// What the keeper tells.
struct Ended {
  int state = 0;        // as waitpid gives it
  int start_error = 0;  // the program could not be started
  bool in_time = false; //
};

[[noreturn]] void tell_and_end_all(int line, const Ended& ended) {
  (void)!write(line, &ended, sizeof ended); // who does not read it is dead
  kill(0, SIGKILL);                         // the group: us, too
  _exit(1);
}

void limit(int resource, uint64_t bytes) {
  const rlimit limits{bytes, bytes};
  setrlimit(__rlimit_resource_t(resource), &limits);
}

struct Start {
  std::vector<char*> arguments, environment;
  const std::string& directory;
  int input, output, errors;
  CompilerLimits limits;
};

// In the compiler's process, before it is the compiler. Nothing is allocated from here on.
[[noreturn]] void become(const Start& start, int line) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_AS, start.limits.memory);
  limit(RLIMIT_FSIZE, start.limits.output);
  limit(RLIMIT_CORE, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  dup2(start.input, 0);
  dup2(start.output, 1);
  dup2(start.errors, 2);
  close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
  if (start.directory.empty() || chdir(start.directory.c_str()) == 0)
    execvpe(start.arguments[0], start.arguments.data(), start.environment.data());
  const Ended ended{.start_error = errno};
  (void)!write(line, &ended, sizeof ended);
  _exit(127); // what shells say, too
}

[[noreturn]] void keep(const Start& start, pid_t parent, int line) {
  setpgid(0, 0);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent)
    _exit(1); // it died before the kernel knew that we want to know
  const pid_t compiler = fork();
  if (compiler == 0)
    become(start, line);
  if (compiler < 0)
    tell_and_end_all(line, {.start_error = errno});
  const auto deadline = Clock::now() + std::chrono::duration<double>(start.limits.seconds);
  for (;;) {
    const double left = std::max(0.0, std::chrono::duration<double>(deadline - Clock::now()).count());
    const timespec wait{time_t(left), long((left - std::floor(left)) * 1e9)};
    const int signal = sigtimedwait(&all, nullptr, &wait);
    Ended ended{.in_time = true};
    if (signal == SIGTERM)
      kill(0, SIGKILL); // our parent has died
    if (waitpid(compiler, &ended.state, WNOHANG) == compiler)
      tell_and_end_all(line, ended);
    if (signal < 0 && errno == EAGAIN)
      tell_and_end_all(line, {});
  }
}

bool interrupted() {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM);
}

enum class Ending : uint8_t { told, killed, interrupted };

// What the keeper tells, or how it came that it does not.
Ending wait_for(pid_t keeper, int line, Ended& ended) {
  Ending ending = Ending::killed;
  for (;;) {
    pollfd waiting{line, POLLIN, 0};
    if (poll(&waiting, 1, poll_milliseconds) > 0) {
      if (read(line, &ended, sizeof ended) == sizeof ended)
        ending = Ending::told;
      break;
    }
    if (interrupted()) {
      ending = Ending::interrupted;
      break;
    }
  }
  kill(-keeper, SIGKILL);
  while (waitpid(keeper, nullptr, 0) < 0 && errno == EINTR) {
  }
  return ending;
}

bool says(const std::string& text, std::initializer_list<const char*> words) {
  return std::ranges::any_of(words, [&](const char* word) { return text.find(word) != std::string::npos; });
}

[[noreturn]] void did_not_end(const std::string& file, const std::string& how, const char* hint) {
  throw UserError(status_inconclusive, fmt::format("{}: the compiler {}", file, how), hint);
}

[[noreturn]] void was_killed(const std::string& file, const std::string& how) {
  throw CompilerKilled(status_inconclusive, fmt::format("{}: the compiler {}", file, how),
                       "is the machine short of memory? Try again, or with fewer programs beside it");
}

// What execvpe takes.
std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words)
    pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const std::string& temporary_folder) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable; ++variable)
    if (temporary_folder.empty() || !std::string_view(*variable).starts_with("TMPDIR="))
      variables.emplace_back(*variable);
  if (!temporary_folder.empty())
    variables.push_back("TMPDIR=" + temporary_folder);
  return variables;
}

// A driver tells in words what became of the compiler proper.
void check_end(const Ended& ended, const CompilerRun& run, const std::string& file, const CompilerLimits& limits) {
  const int signal = WIFSIGNALED(ended.state) ? WTERMSIG(ended.state) : 0;
  const bool failed = ended.state != 0;
  if (!ended.in_time)
    did_not_end(file, fmt::format("was stopped after {} s, which is its limit", limits.seconds), compile_it_yourself);
  if (failed && says(run.errors, {"out of memory", "bad_alloc", "Cannot allocate memory"}))
    did_not_end(file, fmt::format("needs more than {} MiB of memory, which is its limit", limits.memory >> 20),
                compile_it_yourself);
  if (signal == SIGXFSZ || (failed && says(run.errors, {"File too large", "File size limit exceeded"})))
    did_not_end(file, fmt::format("writes more than {} MiB, which is its limit", limits.output >> 20),
                compile_it_yourself);
  if (signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP || signal == SIGQUIT)
    was_killed(file, fmt::format("was killed ({}), by somebody else", strsignal(signal)));
  if (failed && says(run.errors, {"unable to execute command: Killed", "unable to execute command: Terminated"}))
    was_killed(file, "was killed by somebody else");
}

} // namespace

CompilerRun run_compiler(const std::vector<std::string>& command, const std::string& directory, const std::string& file,
                         const CompilerLimits& limits) {
  return run_compiler(command, directory, file, {}, limits);
}

uint64_t usual_compiler_memory() {
  const uint64_t machine = uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
  return std::min(uint64_t(8) << 30, machine / 4 * 3);
}

SignalsHeld::SignalsHeld() {
  sigset_t held;
  sigemptyset(&held);
  sigaddset(&held, SIGINT);
  sigaddset(&held, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &held, &before_);
}

SignalsHeld::~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

namespace {

CompilerRun run_once(const std::vector<std::string>& command, const std::string& directory, const std::string& file,
                     const CompilerFiles& files, const CompilerLimits& limits) {
  const SignalsHeld held;
  const UnnamedFile input, output, errors;
  input.fill(files.input);
  const std::vector<std::string> environment = environment_with(files.temporary_folder);
  int line[2];
  if (pipe2(line, O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "a pipe to the compiler");
  const Start start{pointers_to(command), pointers_to(environment), directory, input.descriptor(),
                    output.descriptor(),  errors.descriptor(),      limits};
  const pid_t parent = getpid();
  std::fflush(nullptr);
  const pid_t keeper = fork();
  if (keeper == 0)
    keep(start, parent, line[1]);
  close(line[1]);
  if (keeper < 0) {
    close(line[0]);
    throw std::system_error(errno, std::generic_category(), "fork");
  }
  setpgid(keeper, keeper); // in both processes: either may be first
  Ended ended;
  const Ending ending = wait_for(keeper, line[0], ended);
  close(line[0]);
  if (ending == Ending::interrupted)
    throw UserError(status_inconclusive, fmt::format("interrupted while {} was compiled", file));
  if (ending == Ending::killed)
    was_killed(file, "was killed, by somebody else");
  if (ended.start_error != 0)
    throw UserError(status_unsuitable, fmt::format("cannot run {}: {}", command[0], std::strerror(ended.start_error)),
                    "install it with scripts/install-deps, and see that it is on PATH");
  CompilerRun run{WIFEXITED(ended.state) ? WEXITSTATUS(ended.state) : 1, {}, errors.content(most_errors)};
  check_end(ended, run, file, limits);
  run.output = output.content();
  return run;
}

} // namespace

CompilerRun run_compiler(const std::vector<std::string>& command, const std::string& directory, const std::string& file,
                         const CompilerFiles& files, const CompilerLimits& limits) {
  try {
    return run_once(command, directory, file, files, limits);
  } catch (const CompilerKilled&) {
    return run_once(command, directory, file, files, limits);
  }
}

} // namespace faultline::frontend
