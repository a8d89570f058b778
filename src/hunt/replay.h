// Runs saved findings again in fresh workers: one per target, and another one after each death. The program is loaded
// once.
#pragma once

#include "hunt/targets.h"
#include "model/message.h"
#include "model/report.h"

#include <memory>
#include <string>
#include <vector>

namespace faultline::hunt {

class Replayer {
public:
  // The options are those of the saved command. Throws UserError.
  explicit Replayer(const Options& options);
  ~Replayer();

  // Returns one result per finding. `target` names the function. Throws UserError if it is gone or has
  // changed. `strict`: checks every claim of the findings (judge/tasks/work.h).
  std::vector<model::ReplayResult> replay(const model::TargetReport& target,
                                          const std::vector<model::Finding>& findings, bool strict = false);

private:
  Options options_;
  std::unique_ptr<program::Program> program_;
};

// Returns the command that runs a finding again, ready to paste into a shell.
//
// With a JSON file (-o FILE.json), it names the file and the finding. Without one, nothing is saved, so the command is
// a faultline explain with the source, the function, the settings and the input.

// `settings`: those of the function.
std::string replay_command(const Options& options, const model::Settings& settings, const model::TargetReport& target,
                           const model::Finding& finding);

// Returns the faultline explain command for a finding.
std::string explain_command(const Options& options, const model::Settings& settings, const model::TargetReport& target,
                            const model::Finding& finding);

} // namespace faultline::hunt
