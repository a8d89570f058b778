// Which declarations of a program can be float, so that its printed numbers stay within a tolerance.
//
// All declarations are narrowed at first. The twins of the program and of the narrowed one run together, and their
// values are compared (run/alignment.h). The first lines whose values are off by more than the tolerance are to blame.
// What they set becomes double again: first the variable, then all that the line uses, then all of the function. Ten
// runs at most.
#pragma once

#include "model/run_narrowing.h"
#include "run/narrowed_sources.h"
#include "run/twin.h"

#include <string>
#include <vector>

namespace faultline::run {

// Runs the program with the user's terminal once, and then quietly. Throws UserError if its sources cannot be narrowed,
// or if a further run differs from the first one.
model::RunNarrowing narrow_program(const std::string& program, const std::vector<std::string>& command,
                                   double tolerance);

} // namespace faultline::run
