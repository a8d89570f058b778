// Tasks by a command of the user's: `CMD {job}`, run once a job file, or `CMD {share}`, once for all of them.
//
// The command is the one that was typed, and nothing of it comes from a file. It may stay until the task has ended
// (ssh, mpirun), or hand it on and leave (kubectl): then the task's files tell how it goes.
#pragma once

#include "base/process.h"
#include "campaign/remote/share_folder.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace faultline::campaign {

// Who gets tasks to run on other machines: a batch system, or any command that starts `faultline worker --share`.
//
// An engine is asked to start job files and to tell how they stand. That is all it is trusted with: what a task did is
// told by its files.
enum class TaskState : uint8_t {
  waiting,  // in a queue
  running,  //
  released, // started by a command that has ended well: whether it runs, its files tell
  gone,     // it does not run, and will not
};

class Engine {
public:
  virtual ~Engine() = default;

  // Job files of the folder, by number, one after the other. Throws frontend::UserError.
  virtual void start(const ShareFolder& folder, uint64_t first, uint64_t count) = 0;
  // Of a job that was started.
  virtual TaskState state(uint64_t job) = 0;
  // Looks how they stand now; called every second or so, while nobody waits for an answer.
  virtual void look() = 0;
  // Ends them all. Tasks that are not reached find the folder's mark.
  virtual void cancel() = 0;
  // What the task printed last, or why it did not start; empty: nobody knows.
  virtual std::string last_words(const ShareFolder& folder, uint64_t job) = 0;
};

// A run on other machines.
struct RemoteOptions {
  std::shared_ptr<Engine> engine;
  uint64_t tasks = 64;        // into which functions are divided
  double task_seconds = 7200; // of one
  std::string folder = {};    // that tasks see; empty: the campaign's own
};

class Launcher : public Engine {
public:
  // At most `parallel` commands at a time. Throws frontend::UserError: the command names neither {job} nor {share}.
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
    std::vector<uint64_t> jobs; // that it is for
    base::Process process = {}; // none: it has not begun
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

// What was printed last, of a file: a line.
std::string last_line_of(const std::string& file);

// Tasks as an array of Slurm: one job of the batch system for all job files that go out together. It needs sbatch,
// squeue and scancel, and no accounting database.
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
