// The files that recorded processes leave in a folder (recorder/seen_file.h), put together.
#pragma once

#include "finding/settings/seen.h"

#include <cstdint>
#include <string>

namespace faultline::campaign {

struct Recording {
  finding::SeenRuns runs;
  uint64_t files_of_code = 0; // whose functions could be watched
  uint64_t not_writable = 0;  // processes whose code the system does not let us change
};

// Functions in the order of their files and lines. Files that are damaged are passed over: a process was killed while
// it began.
Recording recording_in(const std::string& folder);

} // namespace faultline::campaign
