// Who gets tasks to run on other machines: a batch system, or any command that starts `faultline worker --share`.
//
// An engine is asked to start job files and to tell how they stand. That is all it is trusted with: what a task did is
// told by its files.
#pragma once

#include "campaign/remote/share_folder.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace faultline::campaign {

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

} // namespace faultline::campaign
