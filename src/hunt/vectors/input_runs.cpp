#include "hunt/vectors/input_runs.h"

namespace faultline::campaign {

void run_inputs(finding::Job job, const std::vector<finding::Input>& inputs, const InputRuns& runs) {
  size_t done = 0;
  while (done < inputs.size()) {
    job.task = runs.task({inputs.begin() + long(done), inputs.end()});
    const auto died = run_once(job, runs.program, runs.target, runs.limits, [&](const finding::Message& message) {
      if (done < inputs.size())
        runs.on_result(done++, message);
    });
    if (!died || done >= inputs.size())
      return;
    runs.on_death(done++, *died);
  }
}

} // namespace faultline::campaign
