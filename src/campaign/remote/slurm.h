// Tasks as an array of Slurm: one job of the batch system for all job files that go out together. It needs sbatch,
// squeue and scancel, and no accounting database.
#pragma once

#include "campaign/remote/engine.h"

#include <map>
#include <string>
#include <vector>

namespace faultline::campaign {

struct SlurmOptions {
  std::string partition;           // empty: the cluster's own choice
  uint64_t array_limit = 256;      // tasks that run at a time
  double task_seconds = 7200;      // of one task; the cluster ends it a little later
  int processors = 1;              // of a task
  std::vector<std::string> worker; // what a task runs, but for the job file: faultline worker ... --share
};

class Slurm : public Engine {
public:
  explicit Slurm(SlurmOptions options) : options_(std::move(options)) {}

  void start(const ShareFolder& folder, uint64_t first, uint64_t count) override;
  TaskState state(uint64_t job) override;
  void look() override;
  void cancel() override;
  std::string last_words(const ShareFolder& folder, uint64_t job) override;

private:
  struct Array {
    std::string id; // Slurm's
    uint64_t first = 0, count = 0;
  };
  SlurmOptions options_;
  std::vector<Array> arrays_;
  std::map<std::string, TaskState> listed_; // by ARRAY_INDEX, as squeue told last
};

// What a task of an array runs: the job file by the task's index, told clearly if the node lacks the program or the
// folder.
std::string batch_text(const SlurmOptions& options, const ShareFolder& folder, uint64_t first);

} // namespace faultline::campaign
