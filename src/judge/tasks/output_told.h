// What the code prints on the way to its result: warnings, mostly.
#pragma once

#include "exec/session.h"
#include "judge/tasks/tell.h"

namespace faultline::judge {

// In a run of its own, the first lines.
void tell_output(exec::Session& session, const exec::Input& input, const Tell& tell);

} // namespace faultline::judge
