// A job, carried out in a worker.
#pragma once

#include "exec/reference.h"
#include "exec/worker.h"
#include "finding/job.h"
#include "frontend/program.h"

namespace faultline::judge {

// In the worker's process. Takes the program: reducing it to the target leaves nothing for others. Throws UserError.
void work(const finding::Job& job, frontend::Program program, const frontend::Target& target,
          exec::Reference* reference, exec::Channel& channel);

} // namespace faultline::judge
