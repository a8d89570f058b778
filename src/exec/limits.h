// What calls of the code under test, and the processes they run in, may cost.
#pragma once

#include "exec/sandbox/sandbox.h"
#include "frontend/model.h"

#include <cstdint>

namespace faultline::exec {

using Limits = frontend::CallLimits;

// Times are on the clock: the supervisor keeps them, whatever the code under test does.
struct WorkerLimits {
  uint64_t memory = uint64_t(1) << 31; // beyond what the supervisor has: the tape, the target's heap, the readers
  double silence_seconds = 30;         // one call, lifted or not, may not take longer than this
  // A worker computes, and sleeps only while it waits for its supervisor to read: in milliseconds. A guess, with room
  // for a busy machine, on which a worker that computes waits, too, but does not sleep.
  double asleep_seconds = 1;
  double compile_seconds = 300; // until the code under test runs for the first time: our own work, on hostile code
  double job_seconds = 600;     // of a job that names no limit of its own, from then on
  int restarts = 5;
  Confinement confinement = {};
};

} // namespace faultline::exec
