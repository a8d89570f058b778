#include "solve/child.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <memory>
#include <new>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace faultline::solve {
namespace {

constexpr int no_answer = 3; // exit status of a child that has none

// Answer, number of values, values, solver, a zero, reason.
std::string bytes_of(const Result& result) {
  std::string bytes(1, char(result.answer));
  const uint64_t count = result.model.size();
  bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
  bytes.append(reinterpret_cast<const char*>(result.model.data()), count * sizeof(numeric::Bits));
  return bytes + result.solver + '\0' + result.reason;
}

Result result_of(const std::string& bytes) {
  Result result;
  uint64_t count = 0;
  constexpr size_t header = 1 + sizeof count;
  if (bytes.size() < header)
    return {.reason = "the solver's process ended without an answer"};
  std::memcpy(&count, bytes.data() + 1, sizeof count);
  if (count > (bytes.size() - header) / sizeof(numeric::Bits))
    return {.reason = "the solver's process ended in the middle of its answer"};
  result.answer = Answer(bytes[0]);
  result.model.resize(count);
  if (count > 0)
    std::memcpy(result.model.data(), bytes.data() + header, count * sizeof(numeric::Bits));
  const std::string words = bytes.substr(header + count * sizeof(numeric::Bits));
  const size_t zero = std::min(words.find('\0'), words.size());
  result.solver = words.substr(0, zero);
  result.reason = words.substr(std::min(zero + 1, words.size()));
  return result;
}

uint64_t address_space() {
  uint64_t pages = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lu", &pages) != 1)
      pages = 0;
    std::fclose(file);
  }
  return pages * uint64_t(sysconf(_SC_PAGESIZE));
}

void limit_child(const ChildLimits& limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGTERM, SIGINT, SIGPIPE})
    std::signal(signal, SIG_DFL);
  const rlim_t memory = address_space() + limits.memory;
  const rlimit space{memory, memory}, no_core{0, 0};
  setrlimit(RLIMIT_AS, &space);
  setrlimit(RLIMIT_CORE, &no_core);
  const int null = open("/dev/null", O_RDWR);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    dup2(null, descriptor);
}

void write_all(int descriptor, const std::string& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t count = write(descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno != EINTR)
      return;
    done += size_t(std::max<ssize_t>(count, 0));
  }
}

// Never returns: neither destructors nor exit handlers of the parent's state run.
[[noreturn]] void run_child(const std::function<Result()>& work, const ChildLimits& limits, int descriptor) {
  limit_child(limits);
  try {
    write_all(descriptor, bytes_of(work()));
  } catch (const std::bad_alloc&) {
    write_all(descriptor, bytes_of({.reason = "out of memory"}));
  } catch (const std::exception& error) {
    write_all(descriptor, bytes_of({.reason = error.what()}));
  } catch (...) {
    _exit(no_answer);
  }
  _exit(0);
}

} // namespace

Child::Child(const Work& work, const ChildLimits& limits) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    failure_ = std::string("no pipe for the solver's process: ") + std::strerror(errno);
    return;
  }
  process_ = fork();
  if (process_ == 0) {
    close(ends[0]);
    run_child(work, limits, ends[1]);
  }
  close(ends[1]);
  descriptor_ = ends[0];
  if (process_ < 0) {
    failure_ = std::string("no process for the solver: ") + std::strerror(errno);
    end(false);
  }
}

Child::~Child() { end(true); }

void Child::end(bool kill) {
  if (descriptor_ >= 0)
    close(descriptor_);
  descriptor_ = -1;
  if (process_ <= 0)
    return;
  if (kill)
    ::kill(process_, SIGKILL);
  while (waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

bool Child::read() {
  char buffer[4096];
  const ssize_t count = ::read(descriptor_, buffer, sizeof buffer);
  if (count > 0)
    bytes_.append(buffer, size_t(count));
  else if (count == 0 || errno != EINTR)
    end(false);
  return descriptor_ < 0;
}

Result Child::result() {
  if (!failure_.empty())
    return {.reason = failure_};
  if (WIFSIGNALED(status_))
    return {.reason = std::string("the solver's process died: ") + strsignal(WTERMSIG(status_))};
  return result_of(bytes_);
}

Result run_in_child(const Work& work, const ChildLimits& limits) { return race({work}, limits); }

Result race(const std::vector<Work>& works, const ChildLimits& limits) {
  const Deadline deadline(limits.seconds);
  std::vector<std::unique_ptr<Child>> children;
  for (const Work& work : works)
    children.push_back(std::make_unique<Child>(work, limits));
  Result last{.reason = "out of time"};
  while (!children.empty()) {
    std::vector<pollfd> waiting;
    for (const auto& child : children)
      waiting.push_back({child->descriptor(), POLLIN, 0});
    if (deadline.passed())
      return {.reason = "out of time"};
    const int milliseconds = int(std::clamp(deadline.left() * 1000, 0.0, 1e6)) + 1;
    if (poll(waiting.data(), waiting.size(), milliseconds) < 0 && errno != EINTR)
      return {.reason = std::string("poll: ") + std::strerror(errno)};
    for (size_t i = children.size(); i-- > 0;) {
      const bool ended = children[i]->descriptor() < 0 || (waiting[i].revents != 0 && children[i]->read());
      if (!ended)
        continue;
      last = children[i]->result();
      if (last.answer != Answer::unknown)
        return last;
      children.erase(children.begin() + long(i));
    }
  }
  return last;
}

} // namespace faultline::solve
