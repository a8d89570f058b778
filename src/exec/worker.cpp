#include "exec/worker.h"

#include "exec/guard.h"
#include "exec/sandbox.h"
#include "exec/warm_up.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace faultline::exec {
namespace {

using Clock = std::chrono::steady_clock;
constexpr uint32_t longest_message = 64u << 20;
constexpr int poll_milliseconds = 100;
constexpr std::chrono::seconds grace(3); // for workers that were asked to stop: time to send what they have

bool is_worker = false;

bool write_all(int descriptor, const char* data, size_t bytes) {
  while (bytes > 0) {
    ssize_t count = write(descriptor, data, bytes);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    data += count;
    bytes -= size_t(count);
  }
  return true;
}

Flight* shared_flight() {
  void* memory = mmap(nullptr, sizeof(Flight), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  return new (memory) Flight();
}

// All that the child does. It ends with _exit: nothing of the parent's (buffers, destructors) may run twice.
[[noreturn]] void run_child(const Job& job, int descriptor, Flight* flight, const std::vector<uint64_t>& skip,
                            std::optional<uint64_t> before_call, double spent, const WorkerLimits& limits) {
  is_worker = true;
  int nowhere = open("/dev/null", O_RDWR);
  for (int standard = 0; standard <= 2; ++standard)
    dup2(nowhere, standard);
  if (descriptor != 3)
    dup2(descriptor, 3);
  close_range(4, ~0u, 0);
  std::signal(SIGINT, SIG_IGN); // the supervisor decides
  std::signal(SIGTERM, SIG_DFL);
  limit_process(limits.memory);
  install_guard();
  filter_system_calls();
  int status = 0;
  try {
    Channel line(3, flight, skip, before_call, spent);
    job.work(line);
  } catch (...) {
    status = 1;
  }
  _exit(status);
}

class Worker {
public:
  Worker(Job job, const WorkerLimits& limits) : job_(std::move(job)), limits_(limits), flight_(shared_flight()) {}
  ~Worker() {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
      close(descriptor_);
    }
    munmap(flight_, sizeof(Flight));
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void start() {
    std::fflush(nullptr);
    if (!begun_at_)
      begun_at_ = Clock::now();
    const double spent = std::chrono::duration<double>(Clock::now() - *begun_at_).count();
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
    new (flight_) Flight();
    child_ = fork();
    if (child_ < 0)
      throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
    if (child_ == 0)
      run_child(job_, ends[1], flight_, skip_, before_call_, spent, limits_);
    close(ends[1]);
    descriptor_ = ends[0];
    buffer_.clear();
    seen_call_ = 0;
    seen_at_ = Clock::now();
  }

  int descriptor() const { return descriptor_; }

  // Reads what has arrived. False when the child has closed its end, or writes what no job writes.
  bool receive() {
    char chunk[1 << 16];
    ssize_t count = read(descriptor_, chunk, sizeof chunk);
    if (count < 0)
      return errno == EINTR || errno == EAGAIN;
    if (count == 0)
      return false;
    buffer_.append(chunk, size_t(count));
    size_t at = 0;
    while (buffer_.size() - at >= 4) {
      uint32_t length;
      std::memcpy(&length, buffer_.data() + at, 4);
      if (length > longest_message)
        return false; // a corrupt frame: the code under test wrote to the pipe
      if (buffer_.size() - at - 4 < length)
        break;
      job_.on_message(std::string_view(buffer_).substr(at + 4, length));
      at += 4 + length;
    }
    buffer_.erase(0, at);
    return true;
  }

  // Is a call taking too long? Outside of calls the child does our own work and is trusted.
  bool hangs() {
    auto now = Clock::now();
    uint64_t call = flight_->call;
    if (call != seen_call_ || !flight_->running) {
      seen_call_ = call;
      seen_at_ = now;
    }
    return std::chrono::duration<double>(now - seen_at_).count() > limits_.silence_seconds;
  }

  // Waits for the child, which has ended or, if it hung, is killed. True if the job is to start again.
  bool reap(bool hung) {
    int status = 0;
    close(descriptor_); // first: a child that goes on to write into a full pipe would never end
    if (hung)
      kill(child_, SIGKILL);
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = 0;
    if (!hung && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      job_.on_end(true);
      return false;
    }
    Death death;
    death.hung = hung;
    death.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    death.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    death.in_call = flight_->running == Flight::target;
    death.in_reference = flight_->running == Flight::reference;
    uint64_t inputs = std::min<uint64_t>(flight_->inputs, Flight::most_inputs);
    death.input.assign(flight_->values, flight_->values + inputs);
    job_.on_death(death);
    // Jobs are deterministic: a death outside of a call would happen again.
    if (death.in_call && int(skip_.size()) < limits_.restarts) {
      skip_.push_back(uint64_t(flight_->call));
      return true;
    }
    if (death.in_call && !skip_.empty() && !before_call_) {
      before_call_ = skip_.front();
      return true;
    }
    job_.on_end(false);
    return false;
  }

  void ask_to_stop() { flight_->stop = 1; }
  void give_up() { job_.on_end(false); }

private:
  Job job_;
  WorkerLimits limits_;
  Flight* flight_;
  pid_t child_ = 0;
  int descriptor_ = -1;
  std::string buffer_;
  std::vector<uint64_t> skip_;
  std::optional<uint64_t> before_call_;
  uint64_t seen_call_ = 0;
  Clock::time_point seen_at_;
  std::optional<Clock::time_point> begun_at_; // of the first child
};

} // namespace

bool in_worker() { return is_worker; }

void Channel::send(std::string_view message) {
  auto length = uint32_t(message.size());
  std::string frame(reinterpret_cast<const char*>(&length), 4);
  frame += message;
  if (!write_all(descriptor_, frame.data(), frame.size()))
    _exit(2); // the code under test closed our line, or the supervisor is gone
}

void run_jobs(std::vector<Job> jobs, int parallel, const WorkerLimits& limits, const std::atomic<bool>& stop,
              const std::function<void()>& on_idle) {
  if (jobs.size() > 1)
    warm_up();
  std::vector<std::unique_ptr<Worker>> active;
  size_t next = 0;
  std::optional<Clock::time_point> stopping;
  while (next < jobs.size() || !active.empty()) {
    while (!stop && int(active.size()) < std::max(1, parallel) && next < jobs.size()) {
      active.push_back(std::make_unique<Worker>(std::move(jobs[next++]), limits));
      active.back()->start();
    }
    if (stop && !stopping) {
      stopping = Clock::now();
      for (auto& worker : active)
        worker->ask_to_stop();
      for (; next < jobs.size(); ++next)
        jobs[next].on_end(false);
    }
    if (stopping && Clock::now() - *stopping > grace) {
      for (auto& worker : active)
        worker->give_up();
      return;
    }
    std::vector<pollfd> waiting;
    for (const auto& worker : active)
      waiting.push_back(pollfd{worker->descriptor(), POLLIN, 0});
    int ready = poll(waiting.data(), waiting.size(), poll_milliseconds);
    if (ready < 0 && errno != EINTR)
      throw std::runtime_error(std::string("poll: ") + std::strerror(errno));
    for (size_t i = active.size(); i-- > 0;) {
      const bool gone = ready > 0 && waiting[i].revents != 0 && !active[i]->receive();
      const bool hung = !gone && active[i]->hangs();
      if (!gone && !hung)
        continue;
      if (active[i]->reap(hung))
        active[i]->start();
      else
        active.erase(active.begin() + long(i));
    }
    on_idle();
  }
}

} // namespace faultline::exec
