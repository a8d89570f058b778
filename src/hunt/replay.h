// Saved findings, run again in fresh workers: one for each target, and another one after each death. The program is
// loaded once.
#pragma once

#include "finding/message.h"
#include "finding/report.h"
#include "hunt/extents.h"

#include <memory>
#include <string>
#include <vector>

namespace faultline::campaign {

class Replayer {
public:
  // The options are those of the saved command. Throws frontend::UserError.
  explicit Replayer(const Options& options);
  ~Replayer();

  // One result for each finding. `target` gives the function. Throws frontend::UserError if it is gone or has changed.
  // `strict`: all that the findings say is checked (judge/self_check.h).
  std::vector<finding::ReplayResult> replay(const finding::TargetReport& target,
                                            const std::vector<finding::Finding>& findings, bool strict = false);

private:
  Options options_;
  std::unique_ptr<frontend::Program> program_;
};

// The command that runs a finding again, as a user would paste it into a shell.
//
// With a JSON file (-o FILE.json) it names the file and the finding. Without one, nothing is saved: the command then
// spells out the source, the function, the settings and the input, for faultline explain.

// `settings`: those of the function.
std::string replay_command(const Options& options, const finding::Settings& settings,
                           const finding::TargetReport& target, const finding::Finding& finding);

// The command that tells all about it: faultline explain.
std::string explain_command(const Options& options, const finding::Settings& settings,
                            const finding::TargetReport& target, const finding::Finding& finding);

} // namespace faultline::campaign
