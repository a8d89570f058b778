#include "campaign/campaign_targets.h"

#include "judge/space_of_target.h"

namespace faultline::campaign {

CampaignTargets::CampaignTargets(HuntTargets of, std::vector<TargetRow> known,
                                 std::vector<std::vector<finding::Retry>> inputs)
    : selected(std::move(of)), rows(std::move(known)), first_inputs(std::move(inputs)) {
  for (size_t i = 0; i < rows.size(); ++i)
    has_outputs.push_back(!judge::judged_outputs(selected.targets[i], selected.settings[i]).empty());
}

bool CampaignTargets::has_had_all(size_t i, std::optional<uint64_t> evaluations) const {
  if (rows[i].state == TargetState::refused || !has_outputs[i])
    return true;
  return rows[i].state == TargetState::open && evaluations && rows[i].granted >= *evaluations;
}

} // namespace faultline::campaign
