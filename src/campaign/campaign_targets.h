// The functions of a program beside what a store knows of them: what rounds are chosen from, here or elsewhere.
#pragma once

#include "campaign/store/target_table.h"
#include "finding/job.h"
#include "hunt/targets/hunt_targets.h"

#include <optional>
#include <vector>

namespace faultline::campaign {

struct CampaignTargets {
  HuntTargets selected;
  std::vector<TargetRow> rows;                           // one a target, as all that follow
  std::vector<std::vector<finding::Retry>> first_inputs; // tried in the first look
  std::vector<bool> has_outputs;                         // some that --output names

  CampaignTargets(HuntTargets selected, std::vector<TargetRow> rows,
                  std::vector<std::vector<finding::Retry>> first_inputs);

  // `evaluations`: of each function, in all runs together.
  bool has_had_all(size_t i, std::optional<uint64_t> evaluations) const;
};

} // namespace faultline::campaign
