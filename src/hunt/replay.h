// Saved findings, run again in fresh workers: one for each target, and another one after each death. The program is
// loaded once.
#pragma once

#include "finding/message.h"
#include "finding/report.h"
#include "hunt/options.h"

#include <memory>
#include <vector>

namespace faultline::campaign {

class Replayer {
public:
  // The options are those of the saved command. Throws frontend::UserError.
  explicit Replayer(const Options& options);
  ~Replayer();

  // One result for each finding. `target` gives the function. Throws frontend::UserError if it is gone or has changed.
  // `strict`: all that the findings say is checked (judge/self_check/self_check.h).
  std::vector<finding::ReplayResult> replay(const finding::TargetReport& target,
                                            const std::vector<finding::Finding>& findings, bool strict = false);

private:
  Options options_;
  std::unique_ptr<frontend::Program> program_;
};

} // namespace faultline::campaign
