// Jobs on saved findings and given inputs, one worker at a time: what explain, replay, plots and regression tests have
// in common.
#pragma once

#include "hunt/workers.h"

#include <functional>
#include <optional>

namespace faultline::campaign {

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
