// A task on another machine: `faultline worker --share`. It carries out the rounds of the functions in a job file, as
// the campaign would, in a store of its own in memory, and appends what each round has come to, to a file of its own.
#pragma once

#include "campaign/remote/share_job.h"
#include "exec/outcome.h"
#include "frontend/compiling/flag_filter.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace faultline::campaign {

struct TaskOptions {
  int jobs = 1; // workers at a time
  exec::WorkerLimits limits;
  frontend::Trust trust = frontend::Trust::no;  // in the flags of job files
  std::function<void(const std::string&)> tell; // a line of text
};

// Jobs that were taken, and those among them that could not be done.
struct TaskCount {
  uint64_t jobs = 0, failed = 0;
};

// `path`: a job file, which is taken whoever had it before (a batch system may start a task again); or the folder, of
// which jobs are taken that nobody has, until none is left. What earlier tasks have found in a job is not searched for
// again. `stop` ends it: what is under way is lost. Throws frontend::UserError, also if its only job cannot be done.
TaskCount run_share(const std::string& path, const TaskOptions& options, const std::atomic<bool>& stop);

// A task's own store, in memory: what a campaign's store would know of the functions in its job file. By it a task
// records rounds, and chooses the next ones, with the campaign's own code.
struct TaskStore {
  std::unique_ptr<Database> database;
  int64_t run = 0;
  std::vector<TargetRow> rows; // as the job has them
};
TaskStore store_of_task(const ShareJob& job);

} // namespace faultline::campaign
