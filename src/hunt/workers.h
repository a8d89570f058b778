// Runs jobs in workers on this machine: forks of this process, which have the program in memory already.
#pragma once

#include "exec/reference.h"
#include "exec/worker.h"
#include "hunt/targets.h"
#include "model/finding.h"
#include "model/job.h"
#include "model/message.h"
#include "model/settings/settings.h"
#include "model/target.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace faultline::hunt {

// A job of the supervisor's program, and the receiver of its messages. Its death and its end are messages, too.
struct Assignment {
  model::Job job;
  const model::Target* target = nullptr;
  exec::Reference* reference = nullptr; // or none
  std::function<void(const model::Message&)> on_message;
  // Called for malformed, incomplete or unexpected messages; the job then ends.
  std::function<void(const std::string& why)> on_unreadable = {};
  std::function<void(exec::Lines lines)> on_lines = {}; // the lines of the target's code, which its worker knows
  std::optional<double> seconds = {};                   // wall-clock limit; none: seconds_of(job)
  std::function<std::optional<Assignment>(double spent)> then = {}; // the same
};

// Wall-clock limits, whatever the code under test does: a function with a budget B takes 2 B + 1 s in all, in one job
// or in several. Searches usually end earlier by themselves.
double seconds_in_all(double budget);
double seconds_to_search(double budget);                  // the first of several jobs
double seconds_for_the_rest(double budget, double spent); // the next one
// A job by itself. Those with saved findings may take as long for each.
double seconds_of(const model::Job& job);

// Runs the jobs and returns when all have ended. `stop` ends it early: no further job starts, and workers are requested
// to send what they have.
void run(const std::vector<Assignment>& assignments, program::Program& program, int parallel,
         const exec::WorkerLimits& limits, const std::atomic<bool>& stop, const std::function<void()>& on_idle);

// The same for assignments that are chosen one by one (exec/worker.h).
void run(const std::function<std::optional<Assignment>()>& next, program::Program& program, int parallel,
         const exec::WorkerLimits& limits, const std::atomic<bool>& stop, const std::function<void()>& on_idle);

// Runs one job, which may restart its worker. Throws the UserError of the work.
void run_alone(Assignment assignment, program::Program& program, const exec::WorkerLimits& limits,
               const std::atomic<bool>& stop);

model::Job job_for(const model::Target& target, const model::Settings& settings, const Options& options,
                   model::Task task);

// Checks an input from a worker, which the code under test may have overwritten. Returns one number per input of the
// target, converted to the type of that input; none if a number does not belong to its type.
std::optional<model::Input> typed_input(const model::Target& target, model::Input values);
// The same, but throws UserError. In a receiver of messages, this ends the job.
model::Input checked_input(const model::Target& target, const model::Input& values);

// Returns the finding for the input of the call in which a worker died; none if it died outside of the code under test.
std::optional<model::Finding> finding_of(const model::WorkerDeath& death, const model::Target& target,
                                         const model::Settings& settings);

// How the call ended, as the detail of a finding.
std::string detail_of(const model::WorkerDeath& death);

// The note of a report whose worker died outside of the code under test.
std::string note_of(const model::WorkerDeath& death);

// The rest is common to explain, replay, plots and regression tests: jobs on saved findings and given inputs, one
// worker at a time.

// A function with the layout and the settings that its findings need.
struct FoundIn {
  model::Target target;     // with the array sizes of the hunt
  model::Settings settings; // without ranges and formats: a finding has its input
};

// Finds the function of a report for the input of one of its findings. Accepts settings that are about other functions
// of the hunt. Throws UserError.
FoundIn found_in(program::Program& program, const Options& options, const model::TargetReport& report,
                 const std::vector<model::NamedNumber>& input);

// Returns the values of a saved input. Throws UserError if the function has other inputs now.
model::Input input_of(const model::Target& target, const model::Settings& settings,
                      const std::vector<model::NamedNumber>& input);

// Returns the places of the findings grouped by input, so that a worker runs each input once.
std::vector<size_t> order_by_input(const std::vector<model::Finding>& findings);

// Runs the job in a worker; the program does not change. A worker that dies is not restarted: its death is returned if
// it died in a call, or at its limit of `seconds`; none: seconds_of(job). Throws the UserError of the work.
std::optional<model::WorkerDeath> run_once(const model::Job& job, program::Program& program,
                                           const model::Target& target, const exec::WorkerLimits& limits,
                                           const std::function<void(const model::Message&)>& on_message,
                                           std::optional<double> seconds = {});

// A task with many inputs, each of which is answered with one message.
struct ManyRuns {
  program::Program& program;
  const model::Target& target;
  exec::WorkerLimits limits;
  size_t inputs = 0;
  std::function<model::Task(size_t first)> task; // for the inputs from this one on
  std::function<void(size_t input, const model::Message&)> on_result;
  std::function<void(size_t input, const model::WorkerDeath&)> on_death;
};

// Runs the inputs in order: after a death, another worker tries the rest. All workers together have the time of the
// first task. Returns the number of inputs that were tried in it.
size_t run_all(model::Job job, const ManyRuns& runs);

} // namespace faultline::hunt
