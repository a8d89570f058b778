// One run of a twin, and what it counted.
#pragma once

#include "model/run_report.h"
#include "run/twin.h"

#include <string>
#include <vector>

namespace faultline::run {

// Runs the twin with the user's arguments, files, environment and terminal, and waits for its end. `command` is what
// the user typed: the first word is the name that the program sees. Interrupts go to the program. Throws UserError if
// it cannot be started.
model::RunReport execute(const Twin& twin, const std::vector<std::string>& command);

} // namespace faultline::run
