// Merges the files that recorded processes leave in a folder (recorder/signatures.h).
#pragma once

#include "model/job.h"
#include "model/settings/seen.h"
#include "model/target.h"
#include "program/program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace faultline::hunt {

struct Recording {
  model::SeenRuns runs;
  uint64_t files_of_code = 0; // whose functions could be recorded
  uint64_t not_writable = 0;  // processes whose code the system does not allow to change
};

// Returns the functions ordered by file and line. Skips damaged files, which a process that is killed at its start
// leaves.
Recording recording_in(const std::string& folder);

// Adds whole calls of real runs (--seen) that fit the ranges and formats of the settings to the inputs that a hunt
// tries first.
void add_seen(std::vector<model::Retry>& retries, const model::SeenRuns& runs, const model::Target& target,
              const model::Settings& settings);

// Returns the bytes of a signature file for the recorder (recorder/signatures.h): how functions take their arguments.
// Includes the functions that can be tested as they are and whose inputs are all in registers, on the stack, or behind
// a pointer there.
std::string signatures_of(const std::vector<model::Target>& targets);

} // namespace faultline::hunt
