// One input in one worker: what explain and replay have in common.
#pragma once

#include "campaign/hunt.h"
#include "campaign/job.h"
#include "campaign/judge.h"

#include <functional>

namespace faultline::campaign {

// The options of a function as far as its saved findings need them: what belongs to other functions of the hunt is no
// mistake here. Ranges and formats are dropped: the finding has its input.
Options options_of_finding(Options own, const frontend::Target& target, const std::vector<NamedNumber>& input);

exec::Input input_of(const frontend::Target& target, const Options& options, const Finding& finding);

// Runs `work` in a worker with a session and a judge; the program stays as it is. `on_message` gets what `work` sends.
// Throws the UserError of the work. The death of the worker, if it died in a call.
std::optional<exec::Death> in_worker(const Options& options, frontend::Program& program, const frontend::Target& target,
                                     const std::function<void(exec::Session&, Judge&, exec::Line&)>& work,
                                     const std::function<void(const Json&)>& on_message);

// The one function that the options name, or that the program has.
frontend::Target single_target(frontend::Program& program, const Options& options);

} // namespace faultline::campaign
