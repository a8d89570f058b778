// Jobs, run by workers on this machine: forks of this process, which have the program in memory already.
#pragma once

#include "exec/reference.h"
#include "exec/worker.h"
#include "finding/finding.h"
#include "finding/job.h"
#include "finding/message.h"
#include "finding/settings/settings.h"
#include "frontend/target.h"
#include "hunt/extents.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

// A job of the supervisor's program, and what becomes of its messages. Its death and its end are messages, too.
struct Assignment {
  finding::Job job;
  const frontend::Target* target = nullptr;
  exec::Reference* reference = nullptr; // or none
  std::function<void(const finding::Message&)> on_message;
  // Something came that is no message, or lacks something, or is out of place: the job ends.
  std::function<void(const std::string& why)> on_unreadable = {};
  std::optional<double> seconds = {};                               // on the clock (exec/worker.h)
  std::function<std::optional<Assignment>(double spent)> then = {}; // the same
};

// Returns when all have ended. `stop` ends it early: no job is begun any more, workers are asked to send what they
// have.
void run(const std::vector<Assignment>& assignments, frontend::Program& program, int parallel,
         const exec::WorkerLimits& limits, const std::atomic<bool>& stop, const std::function<void()>& on_idle);

// The same of assignments that are chosen one by one (exec/worker.h).
void run(const std::function<std::optional<Assignment>()>& next, frontend::Program& program, int parallel,
         const exec::WorkerLimits& limits, const std::atomic<bool>& stop, const std::function<void()>& on_idle);

// A job for this target.
finding::Job job_for(const frontend::Target& target, const finding::Settings& settings, const Options& options,
                     finding::Task task);

// What the death of a worker says: the input that was under way, if the code under test was, is a finding.

// An input as a worker sent it, which the code under test may have written over: one number for each input of the
// target, as the type of that input has it. None if a number does not belong to its type.
std::optional<finding::Input> typed_input(const frontend::Target& target, finding::Input values);

// None where the worker died outside of the code under test.
std::optional<finding::Finding> finding_of(const finding::WorkerDeath& death, const frontend::Target& target,
                                           const finding::Settings& settings);

// How the call ended, as a finding's detail says it.
std::string detail_of(const finding::WorkerDeath& death);

// Why nothing is known then.
std::string note_of(const finding::WorkerDeath& death);

// Jobs on saved findings and given inputs, one worker at a time: what explain, replay, plots and regression tests have
// in common.

// A function as its findings need it.
struct FoundIn {
  frontend::Target target;    // with the arrays that it was hunted in with
  finding::Settings settings; // ranges and formats are dropped: a finding has its input
};

// The function of a report, and the input of one of its findings. What is said of other functions of the hunt is no
// mistake here. Throws UserError.
FoundIn found_in(frontend::Program& program, const Options& options, const finding::TargetReport& report,
                 const std::vector<finding::NamedNumber>& input);

// The values of an input that was saved. Throws UserError if the function has other inputs now.
finding::Input input_of(const frontend::Target& target, const finding::Settings& settings,
                        const std::vector<finding::NamedNumber>& input);

// The places of the findings, in an order in which those of one input follow each other: a worker runs it once.
std::vector<size_t> order_by_input(const std::vector<finding::Finding>& findings);

// Runs the job in a worker; the program stays as it is. A worker that dies is not started again: its death is returned,
// if it died in a call. Throws the UserError of the work.
std::optional<finding::WorkerDeath> run_once(const finding::Job& job, frontend::Program& program,
                                             const frontend::Target& target, const exec::WorkerLimits& limits,
                                             const std::function<void(const finding::Message&)>& on_message);

// The same for a task with many findings: after a death the rest is tried in another worker. `results` are taken one
// after the other; for a finding whose worker died `on_death` is called instead.
void run_all(finding::Job job, std::vector<finding::FoundAt> findings, frontend::Program& program,
             const frontend::Target& target, const exec::WorkerLimits& limits,
             const std::function<finding::Task(std::vector<finding::FoundAt>)>& task,
             const std::function<void(size_t finding, const finding::Message&)>& on_result,
             const std::function<void(size_t finding, const finding::WorkerDeath&)>& on_death);

} // namespace faultline::campaign
