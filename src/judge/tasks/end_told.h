// How a call that is explained ended, if it did not return.
#pragma once

#include "judge/judge.h"
#include "judge/tasks/tell.h"

namespace faultline::judge {

// A finding, unless the code refused the input; or, where something is missing, that nothing is known.
void tell_end(const exec::Run& run, const exec::Input& input, const Judge& judge, const Tell& tell);

// The last thing that the run is known to have done.
void tell_last_operation(const tape::Tape& tape, const Tell& tell);

std::string place_of(const tape::Site& site);

} // namespace faultline::judge
