// What a worker's two sides agree on, and the child's side: frames of a length and as many bytes. The first one says
// why there is no sandbox, or nothing; a mark among them says that code under test begins to run, another one
// that a compiled object follows.
#pragma once

#include "exec/worker.h"

#include <cstdint>

namespace faultline::exec {

inline constexpr uint32_t longest_message = 64u << 20;
inline constexpr uint32_t code_begins_mark = ~uint32_t(0),
                          object_mark = code_begins_mark - 1; // in the place of a length

// How often a supervisor looks after its workers, and what it takes a look that took longer for: it was stopped itself.
inline constexpr double look_seconds = 0.1, longest_look_seconds = 1;

// All that the child does; its exit status.
int run_child(const Job& job, Flight* flight, std::vector<uint64_t> skip, std::optional<uint64_t> before_call,
              double spent, const WorkerLimits& limits);

} // namespace faultline::exec
