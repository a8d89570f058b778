// --slurm and --launcher: who carries out a campaign's rounds, if not this machine.
#pragma once

#include "campaign/remote/engine.h"
#include "finding/settings/said.h"

#include <optional>

namespace faultline::cli {

// What tasks run and may do comes from the command line of now, and never from a file. None: this machine. Throws
// UserError.
std::optional<campaign::RemoteOptions> remote_options_from(const finding::Said& said);

} // namespace faultline::cli
