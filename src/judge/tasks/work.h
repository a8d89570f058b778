// Carries out jobs in a worker.
#pragma once

#include "exec/reference.h"
#include "exec/worker.h"
#include "finding/job.h"
#include "frontend/program.h"

namespace faultline::judge {

// Carries out a job in the worker process. Consumes the program, which is reduced to the target. Throws UserError.
void work(const finding::Job& job, frontend::Program program, const frontend::Target& target,
          exec::Reference* reference, exec::Channel& channel);

} // namespace faultline::judge
