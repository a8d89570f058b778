// A job, carried out in a worker: the same code for a fork of the supervisor and for `faultline worker`.
#pragma once

#include "exec/reference.h"
#include "exec/worker.h"
#include "finding/job.h"
#include "frontend/program.h"

#include <memory>
#include <optional>

namespace faultline::judge {

// What a job runs, ready to be carried out.
struct Loaded {
  std::unique_ptr<frontend::Program> program;
  frontend::Target target;
  std::optional<exec::Reference> reference; // compiled outside of the sandbox
};

// From the job's own file. Throws UserError: the file is gone or has other content, or does not have the function.
Loaded load(const finding::Job& job);

// In the worker's process. Takes the program: reducing it to the target leaves nothing for others. Throws UserError.
void work(const finding::Job& job, frontend::Program program, const frontend::Target& target,
          exec::Reference* reference, exec::Channel& channel);

} // namespace faultline::judge
