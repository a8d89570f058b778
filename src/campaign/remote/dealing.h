// Functions are divided among tasks, and written into job files.
#pragma once

#include "campaign/remote/share_folder.h"
#include "campaign/remote/share_job.h"
#include "campaign/rounds.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

// Into so many parts at most, none of them empty. Neighbours, which are alike in what they cost, go to different ones.
std::vector<std::vector<size_t>> dealt(const std::vector<size_t>& functions, uint64_t parts);

struct TaskLimits {
  std::optional<uint64_t> evaluations;
  double seconds = 0;
};
struct JobHead {
  uint64_t number = 0;
  std::string program; // SHA-256
  TaskLimits limits;
};
// With all that the store knows of these functions.
ShareJob share_job(const RoundsOf& of, const CampaignTargets& targets, const std::vector<size_t>& functions,
                   const JobHead& head);

// As a whole, or not at all. Throws frontend::UserError.
void write_job(const ShareFolder& folder, const ShareJob& job);

} // namespace faultline::campaign
