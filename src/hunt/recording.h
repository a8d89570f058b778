// The files that recorded processes leave in a folder (recorder/signatures.h), put together.
#pragma once

#include "finding/job.h"
#include "finding/settings/seen.h"
#include "frontend/program.h"
#include "frontend/target.h"

#include <cstdint>
#include <string>
#include <vector>

namespace faultline::campaign {

struct Recording {
  finding::SeenRuns runs;
  uint64_t files_of_code = 0; // whose functions could be watched
  uint64_t not_writable = 0;  // processes whose code the system does not let us change
};

// Functions in the order of their files and lines. Files that are damaged are passed over: a process was killed while
// it began.
Recording recording_in(const std::string& folder);

// Whole calls of real runs (--seen) as inputs that a hunt tries first.

// Those that lie in the ranges and formats of the settings, added to the others.
void add_seen(std::vector<finding::Retry>& retries, const finding::SeenRuns& runs, const frontend::Target& target,
              const finding::Settings& settings);

// How the functions of a program take their arguments, for the recorder (recorder/signatures.h): those that can be
// hunted in as they are, and whose inputs are all in registers, on the stack, or behind a pointer there.

// The bytes of a file of signatures.
std::string signatures_of(const std::vector<frontend::Target>& targets);

} // namespace faultline::campaign
