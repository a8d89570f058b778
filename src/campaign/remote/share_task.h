// A task on another machine: `faultline worker --share`. It carries out the rounds of the functions in a job file, as
// the campaign would, with its own store in memory, and appends the result of each round to its own file.
#pragma once

#include "campaign/remote/share_job.h"
#include "exec/outcome.h"
#include "program/compiling/flag_filter.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace faultline::campaign {

struct TaskOptions {
  int jobs = 1; // workers at a time
  exec::WorkerLimits limits;
  program::Trust trust = program::Trust::no;    // in the flags of job files
  std::function<void(const std::string&)> tell; // prints a line of text
};

// The numbers of jobs that were taken, and of those among them that failed.
struct TaskCount {
  uint64_t jobs = 0, failed = 0;
};

// Runs a task. `path`: a job file, which is taken even if another task had it (a batch system may restart a task); or
// the folder, whose free jobs are taken until none is left. Results of earlier tasks of a job are not searched for
// again. `stop` ends it and loses the rounds in progress. Throws base::UserError, also if its only job fails.
TaskCount run_share(const std::string& path, const TaskOptions& options, const std::atomic<bool>& stop);

// A task's own store in memory, with the contents of the campaign's store about the functions in its job file. With it,
// a task records rounds and chooses the next ones by the campaign's own code.
struct TaskStore {
  std::unique_ptr<Database> database;
  int64_t run = 0;
  std::vector<TargetRow> rows; // in the order of the job
};
TaskStore store_of_task(const ShareJob& job);

} // namespace faultline::campaign
