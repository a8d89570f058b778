#include "exec/worker.h"

#include "exec/fortran_runtime.h"
#include "exec/warm_up.h"
#include "exec/worker_process.h"
#include "exec/worker_protocol.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <poll.h>
#include <stdexcept>

namespace faultline::exec {
namespace {

using base::Clock;
using Workers = std::vector<std::unique_ptr<WorkerProcess>>;
constexpr std::chrono::seconds grace(3); // for workers that were asked to stop: time to send what they have

// Those that have something to say.
std::vector<pollfd> wait_for(const Workers& workers) {
  std::vector<pollfd> waiting;
  for (const auto& worker : workers)
    waiting.push_back(pollfd{worker->descriptor(), POLLIN, 0});
  const int ready = poll(waiting.data(), waiting.size(), int(look_seconds * 1000));
  if (ready < 0 && errno != EINTR)
    throw std::runtime_error(std::string("poll: ") + std::strerror(errno));
  if (ready <= 0)
    for (pollfd& each : waiting)
      each.revents = 0;
  return waiting;
}

} // namespace

void run_jobs(const JobSource& next, int parallel, const WorkerLimits& limits, const std::atomic<bool>& stop,
              const std::function<void()>& on_idle) {
  load_fortran_runtime();
  Workers active;
  std::optional<Clock::time_point> stopping;
  const auto begin = [&](Job job) {
    auto worker = std::make_unique<WorkerProcess>(std::move(job), limits);
    worker->start();
    return worker;
  };
  const auto fill = [&] {
    while (!stop && int(active.size()) < std::max(1, parallel))
      if (std::optional<Job> job = next())
        active.push_back(begin(std::move(*job)));
      else
        return;
  };
  for (fill(); !active.empty(); fill()) {
    if (stop && !stopping) {
      stopping = Clock::now();
      for (auto& worker : active)
        worker->ask_to_stop();
    }
    if (stopping && Clock::now() - *stopping > grace) {
      for (auto& worker : active)
        worker->give_up();
      return;
    }
    const std::vector<pollfd> waiting = wait_for(active);
    for (size_t i = active.size(); i-- > 0;) {
      const bool gone = waiting[i].revents != 0 && !active[i]->receive();
      const bool hung = !gone && active[i]->hangs();
      if (!gone && !hung)
        continue;
      if (active[i]->reap(hung))
        active[i]->start();
      else if (std::optional<Job> then = active[i]->next(); then && !stop)
        active[i] = begin(std::move(*then));
      else
        active.erase(active.begin() + long(i));
    }
    on_idle();
  }
}

void run_jobs(std::vector<Job> jobs, int parallel, const WorkerLimits& limits, const std::atomic<bool>& stop,
              const std::function<void()>& on_idle) {
  if (jobs.size() > 1)
    warm_up();
  size_t begun = 0;
  run_jobs([&] { return begun < jobs.size() ? std::optional(std::move(jobs[begun++])) : std::nullopt; }, parallel,
           limits, stop, on_idle);
  for (; begun < jobs.size(); ++begun) // it was stopped
    jobs[begun].on_end(false);
}

} // namespace faultline::exec
