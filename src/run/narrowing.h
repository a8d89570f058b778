// Which declarations of a program can be float, so that its printed numbers stay within a tolerance.
//
// All declarations are narrowed at first. The twin of the narrowed program is run: its values are those of the narrowed
// program, and its residues name the lines that contributed most to the errors of printed numbers. What these lines set
// becomes double again: first the variable, then all that the line uses, then all of the function. Ten runs at most.
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
