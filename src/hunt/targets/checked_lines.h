// --site FILE:LINE names additions; a line that has none is a slip, and said at once.
#pragma once

#include "frontend/program.h"
#include "search/checks.h"

namespace faultline::campaign {

// Throws UserError for a line at which no target has an addition.
void check_lines(frontend::Program& program, const std::vector<frontend::Target>& targets,
                 const search::Checks& checks);

} // namespace faultline::campaign
