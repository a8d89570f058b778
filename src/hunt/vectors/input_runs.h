// Many inputs of one target, each of which has one message as its answer.
#pragma once

#include "hunt/single_run.h"

namespace faultline::campaign {

struct InputRuns {
  frontend::Program& program;
  const frontend::Target& target;
  exec::WorkerLimits limits;
  std::function<finding::Task(std::vector<finding::Input>)> task;
  std::function<void(size_t input, const finding::Message&)> on_result;
  std::function<void(size_t input, const finding::WorkerDeath&)> on_death;
};

// After a death the rest is tried in another worker. Throws UserError.
void run_inputs(finding::Job job, const std::vector<finding::Input>& inputs, const InputRuns& runs);

} // namespace faultline::campaign
