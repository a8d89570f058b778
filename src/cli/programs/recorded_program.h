// The user's own program, started at the user's word and with the user's rights, with the recorder loaded into it and
// into all that it starts (src/recorder_main.cpp).
#pragma once

#include <string>
#include <vector>

namespace faultline::cli {

// Its exit status, as a shell tells it: 128 and the number of the signal, if one has ended it. Throws
// frontend::UserError: it is not there, or is linked statically, so that nothing can be loaded into it.
int run_recorded(const std::vector<std::string>& command, const std::string& folder);

} // namespace faultline::cli
