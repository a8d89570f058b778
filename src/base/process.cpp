#include "base/process.h"

#include "base/clock.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace faultline::base {
namespace {

constexpr int could_not_start = 127; // as in shells
constexpr int poll_milliseconds = 20;
constexpr timespec poll_interval = {0, 5'000'000};

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

void redirect(int from, int to) {
  if (from == ProcessOptions::nothing) {
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(null, to);
    if (null > STDERR_FILENO)
      close(null);
  } else if (from >= 0 && from != to) {
    dup2(from, to);
  }
}

// Moves the kept descriptors to 3, 4, ... and closes all others. `status` comes last; programs do not inherit it.
int keep_only(std::vector<int> kept, int status) {
  if (status >= 0)
    kept.push_back(status);
  const int end = ProcessOptions::first_kept + int(kept.size());
  for (int& descriptor : kept) // avoid collisions
    descriptor = fcntl(descriptor, F_DUPFD, end);
  for (size_t i = 0; i < kept.size(); ++i)
    dup2(kept[i], ProcessOptions::first_kept + int(i));
  close_range(unsigned(end), ~0u, 0);
  if (status >= 0)
    fcntl(end - 1, F_SETFD, FD_CLOEXEC);
  return end - 1;
}

void use_default_signals() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGTERM, SIGINT, SIGQUIT, SIGPIPE})
    std::signal(signal, SIG_DFL);
}

// Runs in the child. Returns the new number of `status`.
int set_up(const ProcessOptions& options, pid_t parent, int status) {
  if (options.blocked)
    sigprocmask(SIG_SETMASK, &*options.blocked, nullptr);
  if (options.own_group)
    setpgid(0, 0);
  if (options.death_signal != 0) {
    prctl(PR_SET_PDEATHSIG, options.death_signal);
    if (getppid() != parent)
      _exit(1); // the parent died before prctl
  }
  if (options.default_signals)
    use_default_signals();
  redirect(options.input, STDIN_FILENO);
  redirect(options.output, STDOUT_FILENO);
  redirect(options.errors, STDERR_FILENO);
  return options.keeps_all_descriptors ? status : keep_only(options.kept, status);
}

void limit(const ProcessOptions& options) {
  if (options.memory != ProcessOptions::unlimited) {
    limit_resource(RLIMIT_AS, options.memory);
    limit_resource(RLIMIT_CORE, 0);
  }
  if (options.file_bytes != ProcessOptions::unlimited)
    limit_resource(RLIMIT_FSIZE, options.file_bytes);
}

// Returns the argument array for execvp.
std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words)
    pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Runs in the child. The status pipe receives errno and the reason of a refusal; it closes when the program starts.
// Memory may be short once the limits hold.
[[noreturn]] void become_program(const std::vector<char*>& words, const ProcessOptions& options, int status) {
  int error = options.directory.empty() || chdir(options.directory.c_str()) == 0 ? 0 : errno;
  std::string refusal;
  for (const std::string& variable : options.environment)
    putenv(const_cast<char*>(variable.c_str()));
  limit(options);
  try {
    if (error == 0 && options.prepare)
      refusal = options.prepare();
  } catch (const std::exception& problem) {
    refusal = problem.what();
  }
  if (error == 0 && refusal.empty()) {
    execvp(words[0], words.data());
    error = errno;
  }
  write_all(status, {reinterpret_cast<const char*>(&error), sizeof error});
  write_all(status, refusal);
  _exit(could_not_start);
}

// Reads the available bytes; false at the end.
bool receive(int descriptor, std::string& text, size_t most) {
  char chunk[1 << 14];
  const ssize_t count = read(descriptor, chunk, sizeof chunk);
  if (count < 0)
    return errno == EINTR || errno == EAGAIN;
  text.append(chunk, std::min(size_t(count), most - std::min(most, text.size())));
  return count > 0;
}

ProcessEnd end_of(int state) {
  return {WIFSIGNALED(state) ? WTERMSIG(state) : 0, WIFEXITED(state) ? WEXITSTATUS(state) : 0};
}

} // namespace

void Descriptor::close() {
  if (number_ >= 0)
    ::close(std::exchange(number_, -1));
}

Pipe::Pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    fail("pipe");
  reading = Descriptor(ends[0]);
  writing = Descriptor(ends[1]);
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor, bytes.data(), bytes.size());
    if (count == 0 || (count < 0 && errno != EINTR))
      return false;
    bytes.remove_prefix(size_t(std::max<ssize_t>(count, 0)));
  }
  return true;
}

BlockedSignals::BlockedSignals(std::initializer_list<int> signals) {
  sigemptyset(&blocked_);
  for (const int signal : signals)
    sigaddset(&blocked_, signal);
  pthread_sigmask(SIG_BLOCK, &blocked_, &before_);
}

BlockedSignals::~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

sigset_t all_signals() {
  sigset_t all;
  sigfillset(&all);
  return all;
}

void limit_resource(int resource, uint64_t value) {
  rlimit limits = {};
  getrlimit(__rlimit_resource_t(resource), &limits);
  limits.rlim_cur = limits.rlim_max = std::min<rlim_t>(value, limits.rlim_max);
  setrlimit(__rlimit_resource_t(resource), &limits);
}

uint64_t address_space_in_use() {
  uint64_t pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lu", &pages) != 1)
      pages = 0;
    std::fclose(file);
  }
  return pages * uint64_t(sysconf(_SC_PAGESIZE));
}

void become(const std::vector<std::string>& command) {
  const std::vector<char*> words = pointers_to(command);
  execvp(words[0], words.data());
}

Process Process::start(const std::vector<std::string>& command, const ProcessOptions& options) {
  Pipe status;
  const std::vector<char*> words = pointers_to(command);
  std::fflush(nullptr);
  const pid_t parent = getpid(), child = fork();
  if (child == 0)
    become_program(words, options, set_up(options, parent, status.writing.number()));
  Process process(child, options.own_group);
  status.writing.close();
  std::string problem;
  while (receive(status.reading.number(), problem, size_t(1) << 16)) {
  }
  int error = 0;
  if (problem.size() < sizeof error)
    return process;
  process.wait();
  std::memcpy(&error, problem.data(), sizeof error);
  if (error == 0)
    throw StartRefused(problem.substr(sizeof error));
  throw CannotStart(error, std::generic_category(), command.front());
}

Process Process::copy(const std::function<int()>& work, const ProcessOptions& options) {
  std::fflush(nullptr);
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    int status = 1;
    try {
      set_up(options, parent, -1);
      limit(options);
      status = work();
    } catch (...) {
    }
    _exit(status);
  }
  return {child, options.own_group};
}

Process::Process(pid_t id, bool own_group) : id_(id), own_group_(own_group), owner_(getpid()) {
  if (id < 0)
    fail("fork");
  if (own_group)
    setpgid(id, id); // in both processes: either may be first
}

Process::~Process() {
  if (id_ > 0 && getpid() == owner_)
    kill();
}

bool Process::has_ended() const {
  siginfo_t ended = {};
  return waitid(P_PID, id_t(id_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == id_;
}

std::optional<ProcessEnd> Process::poll() {
  int state = 0;
  if (id_ > 0) {
    const pid_t ended = waitpid(id_, &state, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR))
      return std::nullopt;
    id_ = 0;
  }
  return end_of(state);
}

ProcessEnd Process::wait() {
  int state = 0;
  while (id_ > 0)
    if (waitpid(id_, &state, 0) >= 0 || errno != EINTR)
      id_ = 0;
  return end_of(state);
}

std::optional<ProcessEnd> Process::wait(double seconds) {
  for (const Deadline deadline(seconds);;) {
    if (const std::optional<ProcessEnd> end = poll(); end || deadline.passed())
      return end;
    nanosleep(&poll_interval, nullptr);
  }
}

void Process::send(int signal) const {
  if (id_ > 0)
    ::kill(own_group_ ? -id_ : id_, signal);
}

ProcessEnd Process::kill() {
  send(SIGKILL);
  return wait();
}

ProgramEnd run(const std::vector<std::string>& command, const ProgramLimits& limits, ProcessOptions options) {
  Pipe output;
  options.input = ProcessOptions::nothing;
  options.output = options.errors = output.writing.number();
  options.own_group = true;
  ProgramEnd end;
  Process process;
  try {
    process = Process::start(command, options);
  } catch (const CannotStart&) {
    return end;
  }
  end.started = true;
  output.writing.close();
  const Deadline deadline(limits.seconds);
  const int reading = output.reading.number();
  fcntl(reading, F_SETFL, O_NONBLOCK); // the program may open this end, too, and take the bytes that poll() has seen
  bool open = true;
  const auto can_read = [&](int milliseconds) {
    pollfd waiting{reading, POLLIN, 0};
    return ::poll(&waiting, open ? 1 : 0, milliseconds) > 0 && open;
  };
  std::optional<ProcessEnd> how;
  while (!how) { // it may close its output and continue, or leave it open to another process
    if (can_read(poll_milliseconds))
      open = receive(reading, end.output, limits.output);
    if (!end.timed_out && deadline.passed()) {
      end.timed_out = true;
      process.send(SIGKILL);
    }
    how = process.poll();
  }
  while (can_read(0))
    open = receive(reading, end.output, limits.output);
  static_cast<ProcessEnd&>(end) = *how;
  return end;
}

} // namespace faultline::base
