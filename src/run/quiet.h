// What a further run of a program may not do, because the user's first run has done it: change files, use the network,
// send signals to other processes.
#pragma once

#include <string>

namespace faultline::run {

// Restricts this process and what it starts, with seccomp. Returns why that failed, or an empty text.
std::string keep_quiet();

} // namespace faultline::run
