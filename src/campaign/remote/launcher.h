// Starts tasks by a command of the user: `CMD {job}`, once per job file, or `CMD {share}`, once for all of them.
//
// The command comes from the command line, never from a file. It may run until the task has ended (ssh, mpirun), or
// submit it and exit (kubectl): then the task's files show its progress.
#pragma once

#include "base/process.h"
#include "campaign/remote/share_folder.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace faultline::campaign {

// The state of a task, as its engine knows it.
enum class TaskState : uint8_t {
  waiting,  // in a queue
  running,  //
  released, // started by a command that has succeeded: its files show whether it runs
  gone,     // it does not run, and will not
};

// Runs tasks on other machines: a batch system, or any command that starts `faultline worker --share`.
//
// An engine starts job files and reports their states. It is trusted with no more: the results of a task are in its
// files.
class Engine {
public:
  virtual ~Engine() = default;

  // Starts `count` consecutive job files of the folder from number `first` on. Throws base::UserError.
  virtual void start(const ShareFolder& folder, uint64_t first, uint64_t count) = 0;
  // The state of a job that was started.
  virtual TaskState state(uint64_t job) = 0;
  // Updates the states. Called about every second; may block.
  virtual void look() = 0;
  // Ends all tasks. Those that it cannot reach end by the folder's stop file.
  virtual void cancel() = 0;
  // The last line that the task printed, or why it did not start; empty: unknown.
  virtual std::string last_words(const ShareFolder& folder, uint64_t job) = 0;
};

// The options of a run on other machines.
struct RemoteOptions {
  std::shared_ptr<Engine> engine;
  uint64_t tasks = 64;        // number of tasks among which functions are divided
  double task_seconds = 7200; // of one task
  std::string folder = {};    // visible to tasks; empty: the campaign's own
};

class Launcher : public Engine {
public:
  // Runs at most `parallel` commands at a time. Throws base::UserError if the command contains neither {job} nor
  // {share}.
  Launcher(std::string command, int parallel);

  void start(const ShareFolder& folder, uint64_t first, uint64_t count) override;
  TaskState state(uint64_t job) override;
  void look() override;
  void cancel() override;
  std::string last_words(const ShareFolder& folder, uint64_t job) override;

private:
  struct Command {
    std::string text;
    std::string output;         // its file
    std::vector<uint64_t> jobs; // that it starts
    base::Process process = {}; // none: not started
  };
  void begin(Command& command);
  void note_end(const Command& command, bool succeeded);

  std::string command_;
  size_t parallel_;
  bool once_; // for all jobs
  std::string folder_;
  std::vector<Command> waiting_, running_; // waiting: the next one last
  std::map<uint64_t, TaskState> states_;
};

// Returns the last line of a file.
std::string last_line_of(const std::string& file);

// Tasks as a job array of Slurm: one batch job for all job files that are dealt together. It needs sbatch, squeue and
// scancel, but no accounting database.
struct SlurmOptions {
  std::string partition;           // empty: the cluster's own choice
  uint64_t array_limit = 256;      // tasks that run at a time
  double task_seconds = 7200;      // of one task; the cluster ends it a little later
  int processors = 1;              // of a task
  std::vector<std::string> worker; // what a task runs, without the job file: faultline worker ... --share
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
  std::map<std::string, TaskState> listed_; // by ARRAY_INDEX, from the last squeue
};

// Returns the script of an array's tasks. It runs the job file of the task's index, and prints a clear message if the
// node lacks the program or the folder.
std::string batch_text(const SlurmOptions& options, const ShareFolder& folder, uint64_t first);

} // namespace faultline::campaign
