// Reads what recorded processes leave in a folder (run/call_record.h), and runs a command whose programs are recorded.
#pragma once

#include "model/settings/seen.h"

#include <cstdint>
#include <string>
#include <vector>

namespace faultline::run {

// A program or library whose twin could not be made.
struct WithoutTwin {
  std::string file, reason;
};

struct Recording {
  model::SeenRuns runs;
  uint64_t twins = 0; // files of code that were replaced by theirs
  std::vector<WithoutTwin> without_twin;
};

// Functions are ordered by file and line. Skips damaged entries, which a process that is killed may leave.
Recording recording_in(const std::string& folder);

// The answer for a process that asks for the twin of a file (redirect_plugin.cpp): its path, or "!" and the reason why
// there is none, and on the second line the file.
std::string answer_for(const std::string& file);

// Runs the command and everything that it starts with recording twins in the place of programs and libraries. Returns
// the exit status as a shell does: 128 plus the signal number if a signal has ended it. Throws base::UserError if it
// does not exist, or if it is linked statically, so that the loader does not replace it.
int run_recorded(const std::vector<std::string>& command, const std::string& folder);

} // namespace faultline::run
