// Jobs, run by workers on this machine: forks of this process, which have the program in memory already.
#pragma once

#include "exec/reference.h"
#include "exec/worker.h"
#include "finding/job.h"
#include "finding/message.h"
#include "hunt/options.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

// A job of the supervisor's program, and what becomes of its messages. Its death and its end are messages, too.
struct Assignment {
  finding::Job job;
  const frontend::Target* target = nullptr;
  exec::Reference* reference = nullptr; // or none
  std::function<void(const finding::Message&)> on_message;
  // Something came that is no message, or lacks something, or is out of place: the job ends.
  std::function<void(const std::string& why)> on_unreadable = {};
  std::optional<double> seconds = {};                               // on the clock (exec/worker.h)
  std::function<std::optional<Assignment>(double spent)> then = {}; // the same
};

// Returns when all have ended. `stop` ends it early: no job is begun any more, workers are asked to send what they
// have.
void run(const std::vector<Assignment>& assignments, frontend::Program& program, int parallel,
         const exec::WorkerLimits& limits, const std::atomic<bool>& stop, const std::function<void()>& on_idle);

// The same of assignments that are chosen one by one (exec/worker.h).
void run(const std::function<std::optional<Assignment>()>& next, frontend::Program& program, int parallel,
         const exec::WorkerLimits& limits, const std::atomic<bool>& stop, const std::function<void()>& on_idle);

// A job for this target.
finding::Job job_for(const frontend::Target& target, const finding::Settings& settings, const Options& options,
                     finding::Task task);

} // namespace faultline::campaign
