// A task's own store, in memory: what a campaign's store would know of the functions in its job file. By it a task
// records rounds, and chooses the next ones, with the campaign's own code.
#pragma once

#include "campaign/remote/share_job.h"

#include <memory>
#include <vector>

namespace faultline::campaign {

struct TaskStore {
  std::unique_ptr<Database> database;
  int64_t run = 0;
  std::vector<TargetRow> rows; // as the job has them
};
TaskStore store_of_task(const ShareJob& job);

} // namespace faultline::campaign
