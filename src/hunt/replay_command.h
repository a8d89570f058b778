// The command that runs a finding again, as a user would paste it into a shell.
//
// With a JSON file (-o FILE.json) it names the file and the finding. Without one, nothing is saved: the command then
// spells out the source, the function, the settings and the input, for faultline explain.
#pragma once

#include "finding/report.h"
#include "hunt/options.h"

#include <string>

namespace faultline::campaign {

// `settings`: those of the function.
std::string replay_command(const Options& options, const finding::Settings& settings,
                           const finding::TargetReport& target, const finding::Finding& finding);

// The command that tells all about it: faultline explain.
std::string explain_command(const Options& options, const finding::Settings& settings,
                            const finding::TargetReport& target, const finding::Finding& finding);

} // namespace faultline::campaign
