// What tasks of earlier runs have left behind: whoever ended those runs, tasks may have gone on for a while.
#pragma once

#include "campaign/remote/merging.h"

#include <string>
#include <vector>

namespace faultline::campaign {

// Merges all of it. Tasks that are still there are told to end, and their folders are removed: what they find from then
// on is found again.
void merge_left_over(const RoundsOf& of, const std::string& campaign, std::vector<TargetRow>& rows,
                     const Merging::OnMerged& on_merged);

} // namespace faultline::campaign
