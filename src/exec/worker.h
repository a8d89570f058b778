// Workers: processes that run the code under test, and the supervisor that keeps them.
//
// A job is a function that runs in a forked, sandboxed child and sends messages (opaque bytes) to the supervisor. If
// the child dies or hangs, the supervisor tells the owner of the job what call was under way (it stands in shared
// memory before every call) and starts the job again, told to skip that call. Jobs are deterministic, so a job that
// starts again finds what it found before, up to the call that killed it and beyond; messages that were received stay
// received.
//
// Nothing that a child says is needed to keep it within its time: the code under test may have written what it likes to
// the channel and to the shared memory.
#pragma once

#include "exec/compiled_objects.h"
#include "exec/outcome.h"
#include "exec/session.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::exec {

// Is this process a worker? It ends with _exit, so that nothing needs to be destroyed.
bool in_worker();

// In a worker: code under test is about to run. From here on its time counts.
void code_begins();

// What a job sees of its supervisor.
class Channel {
public:
  Channel(int descriptor, Flight* flight, std::vector<uint64_t> skip, std::optional<uint64_t> before_call,
          double spent = 0)
      : skip(std::move(skip)), before_call(before_call), spent(spent), flight(flight), descriptor_(descriptor) {}
  void send(std::string_view message);
  std::vector<uint64_t> skip; // calls that killed earlier workers
  // In the last attempt: stop before this call, the first that killed a worker, so that what was found before it is not
  // lost.
  std::optional<uint64_t> before_call;
  double spent; // seconds, by earlier workers of this job
  Flight* flight;

private:
  int descriptor_;
};

using Death = frontend::WorkerDeath;

struct Job {
  std::function<void(Channel&)> work;
  std::function<bool(std::string_view message)> on_message; // false: it makes no sense, and the job ends
  std::function<void(const Death&)> on_death;               // each time a worker dies before it is done
  std::function<void(bool completed)> on_end;               // once
  std::optional<double> seconds = {};                       // on the clock, for all of its workers together
  bool shows_output = false;                                // of the code under test, to those who ask (exec/heap.h)
  std::shared_ptr<CompiledObjects> objects = std::make_shared<CompiledObjects>(); // of the target
  // Another one, in its place, after its end. `spent`: seconds in which code under test could run.
  std::function<std::optional<Job>(double spent)> then = {};
};

// Runs all jobs, at most `parallel` at a time. `stop` ends it early (Ctrl-C): no new job starts, workers are asked to
// send what they have, and killed if they do not within a few seconds. `on_idle` is called a few times a second. Throws
// frontend::UserError where the system has no sandbox.
void run_jobs(std::vector<Job> jobs, int parallel, const WorkerLimits& limits, const std::atomic<bool>& stop,
              const std::function<void()>& on_idle);

// The same of jobs that are chosen one by one, when there is a worker for them: by what the others have found until
// then. None: there is none now, and, if no job is under way, the end.
using JobSource = std::function<std::optional<Job>()>;
void run_jobs(const JobSource& next, int parallel, const WorkerLimits& limits, const std::atomic<bool>& stop,
              const std::function<void()>& on_idle);

// The same address space in every run: the shadow memory is a cache indexed by addresses, and code under test may
// itself depend on them, so randomised addresses would make two runs with the same seed differ.

// Starts the program again without address space randomisation, if it has it and the system lets us; else does nothing.
void fix_address_space(char** argv);

// LLVM sets much up when it is first used: tables of the processor, registries of passes, thousands of symbols that the
// dynamic linker binds one by one. Done in the supervisor before it forks, workers inherit it.

// Instruments and compiles a function of our own, and runs nothing.
void warm_up();

} // namespace faultline::exec
