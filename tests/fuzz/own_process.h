// Readers of LLVM may crash on damaged files. Its guard (program/unit.h) then ends the process with a message and the
// status for unreadable code, so such a target reads in a process of its own.
#pragma once

#include "base/error.h"
#include "base/process.h"
#include "program/unit.h"
#include "targets.h"

#include <optional>
#include <string>

namespace faultline::fuzz {

// Calls `read` in another process. Throws UserError if it or the guard refuses the data, and Broken for any other end.
template <class Read> void in_own_process(Read read) {
  constexpr double longest = 600; // seconds, however busy the machine is; the guard's are of the processor
  constexpr int nothing = base::ProcessOptions::nothing;
  base::Process reader = base::Process::copy(
      [&] {
        program::ReaderGuard::least_seconds = 1;
        try {
          read();
        } catch (const base::UserError& refused) {
          return refused.status;
        }
        return base::status_nothing;
      },
      {.input = nothing, .output = nothing, .errors = nothing});
  const std::optional<base::ProcessEnd> end = reader.wait(longest);
  if (!end)
    throw Broken("reading does not end");
  if (end->signal != 0 || (end->status != base::status_nothing && end->status != base::status_unsuitable))
    throw Broken("reading ended with signal " + std::to_string(end->signal) + ", status " +
                 std::to_string(end->status));
  if (end->status == base::status_unsuitable)
    throw base::UserError(end->status, "unreadable");
}

} // namespace faultline::fuzz
