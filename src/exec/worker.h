// Workers: processes that run the code under test, and the supervisor that manages them.
//
// A job is a function that runs in a forked, sandboxed child and sends messages (opaque bytes) to the supervisor. If
// the child dies or hangs, the supervisor reports the current call (which is in shared memory before every call) to the
// owner of the job, and starts the job again without that call. Jobs are deterministic, so a restarted job finds the
// same results up to the fatal call, and then continues. Received messages remain valid.
//
// Time limits do not depend on messages of the child: the code under test may have overwritten the shared memory
// and written to its end of the line.
#pragma once

#include "exec/compiled_objects.h"
#include "exec/outcome.h"
#include "exec/session.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace faultline::exec {

// True if this process is a worker. A worker ends with _exit, so it need not destroy anything.
bool in_worker();

// Lines of source files.
using Lines = std::set<std::pair<std::string, int>>;

// In a worker: sends the lines of the code under test. They are trusted, as that code has not run yet.
void send_lines(const Lines& lines);
// In a worker: starts the time of the code under test. Call just before it runs.
void code_begins();
// In a worker: the first static constructors of the code under test begin and end. The supervisor refuses messages in
// between.
void constructors_begin();
void constructors_end();

// The connection of a job to its supervisor.
class Channel {
public:
  Channel(int descriptor, CallInProgress* progress, std::vector<uint64_t> skip, std::optional<uint64_t> before_call,
          double spent = 0)
      : skip(std::move(skip)), before_call(before_call), spent(spent), progress(progress), descriptor_(descriptor) {}
  void send(std::string_view message);
  std::vector<uint64_t> skip; // calls that killed earlier workers
  // In the last attempt: stop before this call, the first that killed a worker, so that earlier results are not lost.
  std::optional<uint64_t> before_call;
  double spent; // seconds, by earlier workers of this job
  CallInProgress* progress;

private:
  int descriptor_;
};

using Death = model::WorkerDeath;

// The messages of a job, of all its workers together, may have as many bytes as so many of the longest.
constexpr size_t most_long_messages = 16;

struct JobEnd {
  bool completed = false;
  uint64_t calls = 0; // that the last worker has counted in its shared memory: a hint
};

struct Job {
  std::function<void(Channel&)> work;
  std::function<bool(std::string_view message)> on_message; // false: the message is invalid, and the job ends
  std::function<void(const Death&)> on_death;               // each time a worker dies before the job is done
  std::function<void(const JobEnd&)> on_end;                // once
  // Called if what a worker sends is no message, or too much; the job then ends.
  std::function<void(const std::string& why)> on_corrupt = {};
  // Called before any message of code under test. Lines are sent only if it is there.
  std::function<void(Lines lines)> on_lines = {};
  size_t longest_message = size_t(64) << 20; // bytes
  std::optional<double> seconds = {};        // wall-clock limit for all workers of the job together
  bool shows_output = false;                 // of the code under test, when captured (exec/heap.h)
  std::shared_ptr<CompiledObjects> objects = std::make_shared<CompiledObjects>(); // of the target
  std::vector<std::string> readable = {}; // files that its workers may open, beside those of their limits
  // The job that follows at the end of this one, if any. `spent`: seconds in which code under test could run.
  std::function<std::optional<Job>(double spent)> then = {};
};

// Runs all jobs, at most `parallel` at a time. After `stop` (Ctrl-C), no new job starts; workers are asked to send
// their results and are killed after a few seconds. `on_idle` is called a few times a second. Throws
// base::UserError where the system has no sandbox.
void run_jobs(std::vector<Job> jobs, int parallel, const WorkerLimits& limits, const std::atomic<bool>& stop,
              const std::function<void()>& on_idle);

// As above, with jobs chosen one by one as workers become free, so that a choice can use earlier results. If the source
// returns none and no job is running, the run ends.
using JobSource = std::function<std::optional<Job>()>;
void run_jobs(const JobSource& next, int parallel, const WorkerLimits& limits, const std::atomic<bool>& stop,
              const std::function<void()>& on_idle);

// Address space randomisation would make two runs with the same seed differ: the shadow memory is a cache indexed by
// addresses, and code under test may depend on addresses.

// Restarts the program without address space randomisation if the system has it and permits that; else does nothing.
void fix_address_space(char** argv);

// LLVM initialises much on first use: processor tables, pass registries, and thousands of symbols that the dynamic
// linker binds one by one. The supervisor does it before forking, so that workers inherit the result.

// Instruments and compiles a sample function without running it.
void warm_up();

} // namespace faultline::exec
