// Compares findings with the machine code of the user's own build: another compiler may take other branches of the
// preprocessor, contract operations, or call other functions. What that code returns has the last word.
#pragma once

#include "judge/judge.h"
#include "judge/tasks/tell.h"
#include "model/job.h"

namespace faultline::judge {

// Sends one model::BuiltAnswer for each finding, in order. Throws UserError if the machine code cannot be called.
void compare_with_build(exec::Session& session, Judge& judge, const model::Settings& settings,
                        const model::BuiltCodeTask& task, const Tell& tell);

} // namespace faultline::judge
