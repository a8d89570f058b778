// One input in one worker: what explain and replay have in common.
#pragma once

#include "campaign/hunt.h"
#include "campaign/job.h"
#include "campaign/judge.h"

#include <functional>

namespace faultline::campaign {

// The input that --at (or a saved finding) describes: name to number; A=1,2,3 fills an array. Inputs that are not named
// must be held by their range. Throws UserError for an unknown or missing name and for text that is no number.
exec::Input input_at(const frontend::Target& target, const Options& options, const std::map<std::string, std::string>& at);

// Loads the program, finds the one function, and runs `work` in a worker with a session and a judge. `on_message` gets what
// `work` sends. Throws the UserError of the work. The death of the worker, if it died in a call.
std::optional<exec::Death> in_worker(const Options& options,
                                     const std::function<void(exec::Session&, Judge&, exec::Line&)>& work,
                                     const std::function<void(const Json&)>& on_message);

// The function that explain and replay are about.
frontend::Target single_target(const Options& options);

} // namespace faultline::campaign
