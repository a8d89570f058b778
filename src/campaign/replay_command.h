// The command that runs a finding again, as a user would paste it into a shell.
//
// With a JSON file (-o FILE.json) it names the file and the finding. Without one, nothing is saved: the command then
// spells out the source, the function and the input, for faultline explain.
#pragma once

#include "campaign/finding.h"
#include "campaign/options.h"

#include <string>

namespace faultline::campaign {

std::string replay_command(const Options& options, const TargetReport& target, const Finding& finding);

// The word as a POSIX shell reads it back: quoted only if it has to be.
std::string shell_quoted(const std::string& word);

} // namespace faultline::campaign
