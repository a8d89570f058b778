// A job file: some functions of a campaign with all that their further rounds depend on, for a task on another machine.
//
// A function's rounds depend on its own history alone (schedule/arms.h). So it goes to one task as a whole, with its
// history, and that task chooses and carries out its rounds as the campaign itself would have done.
#pragma once

#include "campaign/store/finding_table.h"
#include "campaign/store/job_table.h"
#include "campaign/store/target_table.h"
#include "finding/job.h"
#include "hunt/targets/extents.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::campaign {

struct SharedFunction {
  TargetRow row; // without the numbers of rows in the campaign's store
  finding::Settings settings;
  Measured measured;
  std::vector<PastRound> past;
  std::vector<finding::Finding> findings;   // that are known
  std::vector<finding::Retry> first_inputs; // tried in the first look
};

struct ShareJob {
  int64_t run = 0;
  uint64_t job = 0;
  std::string program;            // SHA-256 of DIR/programs/HASH.bc
  std::string folder;             // from which the campaign shows paths
  std::vector<std::string> flags; // for the compiler, if a reference has to be compiled
  uint64_t seed = 1;
  std::optional<uint64_t> evaluations; // of each function, in all
  double seconds = 0;                  // of the task
  std::vector<SharedFunction> functions;
};

std::string share_job_text(const ShareJob& job);
// Throws UserError that names the place. `name` is that of the file.
ShareJob parse_share_job(std::string_view text, const std::string& name);

} // namespace faultline::campaign
