// What a worker's two sides agree on, and the child's side: frames of a length and as many bytes. The first one says
// why there is no sandbox, or nothing; a mark among them says that code under test begins to run, another one
// that a compiled object follows.
#pragma once

#include "exec/worker.h"

#include <cstdint>
#include <sys/types.h>

namespace faultline::exec {

inline constexpr uint32_t longest_message = 64u << 20;
inline constexpr uint32_t code_begins_mark = ~uint32_t(0),
                          object_mark = code_begins_mark - 1; // in the place of a length

// How often a supervisor looks after its workers, and what it takes a look that took longer for: it was stopped itself.
inline constexpr double look_seconds = 0.1, longest_look_seconds = 1;

// All that the child does.
[[noreturn]] void run_child(const Job& job, int descriptor, Channel line, const WorkerLimits& limits);

// Is this child at its end? It is not waited for.
bool has_ended(pid_t child);

// Does this child, which has nothing more to say, end by itself within a moment? It is killed if not; it is not waited
// for.
bool ends_soon(pid_t child);

} // namespace faultline::exec
