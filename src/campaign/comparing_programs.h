// A program meets the store: which functions are new, which have changed since the last run, which are gone.
#pragma once

#include "campaign/store/target_table.h"
#include "hunt/targets/hunt_targets.h"

#include <vector>

namespace faultline::campaign {

struct ProgramChanges {
  std::vector<std::string> added, changed, moved, gone; // functions; moved: the same code at other lines
};

struct StoredTargets {
  std::vector<TargetRow> rows; // one a target
  ProgramChanges changes;
};

// In one transaction. Functions whose code and settings are what they were keep their state. Of the others, what is
// known is tried again first; those that have changed are then hunted in anew.
StoredTargets store_targets(Database& database, HuntTargets& selected, int64_t run);

} // namespace faultline::campaign
