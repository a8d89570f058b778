// Runs jobs in workers on this machine: forks of this process, which have the program in memory already.
#pragma once

#include "exec/reference.h"
#include "exec/worker.h"
#include "finding/finding.h"
#include "finding/job.h"
#include "finding/message.h"
#include "finding/settings/settings.h"
#include "frontend/target.h"
#include "hunt/targets.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace faultline::hunt {

// A job of the supervisor's program, and the receiver of its messages. Its death and its end are messages, too.
struct Assignment {
  finding::Job job;
  const frontend::Target* target = nullptr;
  exec::Reference* reference = nullptr; // or none
  std::function<void(const finding::Message&)> on_message;
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
double seconds_of(const finding::Job& job);

// Runs the jobs and returns when all have ended. `stop` ends it early: no further job starts, and workers are requested
// to send what they have.
void run(const std::vector<Assignment>& assignments, frontend::Program& program, int parallel,
         const exec::WorkerLimits& limits, const std::atomic<bool>& stop, const std::function<void()>& on_idle);

// The same for assignments that are chosen one by one (exec/worker.h).
void run(const std::function<std::optional<Assignment>()>& next, frontend::Program& program, int parallel,
         const exec::WorkerLimits& limits, const std::atomic<bool>& stop, const std::function<void()>& on_idle);

// Runs one job, which may restart its worker. Throws the UserError of the work.
void run_alone(Assignment assignment, frontend::Program& program, const exec::WorkerLimits& limits,
               const std::atomic<bool>& stop);

finding::Job job_for(const frontend::Target& target, const finding::Settings& settings, const Options& options,
                     finding::Task task);

// Checks an input from a worker, which the code under test may have overwritten. Returns one number per input of the
// target, converted to the type of that input; none if a number does not belong to its type.
std::optional<finding::Input> typed_input(const frontend::Target& target, finding::Input values);
// The same, but throws frontend::UserError. In a receiver of messages, this ends the job.
finding::Input checked_input(const frontend::Target& target, const finding::Input& values);

// Returns the finding for the input of the call in which a worker died; none if it died outside of the code under test.
std::optional<finding::Finding> finding_of(const finding::WorkerDeath& death, const frontend::Target& target,
                                           const finding::Settings& settings);

// How the call ended, as the detail of a finding.
std::string detail_of(const finding::WorkerDeath& death);

// The note of a report whose worker died outside of the code under test.
std::string note_of(const finding::WorkerDeath& death);

// The rest is common to explain, replay, plots and regression tests: jobs on saved findings and given inputs, one
// worker at a time.

// A function with the layout and the settings that its findings need.
struct FoundIn {
  frontend::Target target;    // with the array sizes of the hunt
  finding::Settings settings; // without ranges and formats: a finding has its input
};

// Finds the function of a report for the input of one of its findings. Accepts settings that are about other functions
// of the hunt. Throws UserError.
FoundIn found_in(frontend::Program& program, const Options& options, const finding::TargetReport& report,
                 const std::vector<finding::NamedNumber>& input);

// Returns the values of a saved input. Throws UserError if the function has other inputs now.
finding::Input input_of(const frontend::Target& target, const finding::Settings& settings,
                        const std::vector<finding::NamedNumber>& input);

// Returns the places of the findings grouped by input, so that a worker runs each input once.
std::vector<size_t> order_by_input(const std::vector<finding::Finding>& findings);

// Runs the job in a worker; the program does not change. A worker that dies is not restarted: its death is returned if
// it died in a call, or at its limit of `seconds`; none: seconds_of(job). Throws the UserError of the work.
std::optional<finding::WorkerDeath> run_once(const finding::Job& job, frontend::Program& program,
                                             const frontend::Target& target, const exec::WorkerLimits& limits,
                                             const std::function<void(const finding::Message&)>& on_message,
                                             std::optional<double> seconds = {});

// A task with many inputs, each of which is answered with one message.
struct ManyRuns {
  frontend::Program& program;
  const frontend::Target& target;
  exec::WorkerLimits limits;
  size_t inputs = 0;
  std::function<finding::Task(size_t first)> task; // for the inputs from this one on
  std::function<void(size_t input, const finding::Message&)> on_result;
  std::function<void(size_t input, const finding::WorkerDeath&)> on_death;
};

// Runs the inputs in order: after a death, another worker tries the rest. All workers together have the time of the
// first task. Returns the number of inputs that were tried in it.
size_t run_all(finding::Job job, const ManyRuns& runs);

} // namespace faultline::hunt
