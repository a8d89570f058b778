// The tables of a campaign's store, and how those of earlier versions become today's (docs/campaigns.md).
#pragma once

#include "campaign/store/database.h"

namespace faultline::campaign {

inline constexpr int64_t application_id = 0x464c544e; // "FLTN": by it `file` and we know a campaign

// Of these tables: the number of steps that were taken from none.
int64_t schema_version();

// Takes the steps that the database lacks, all or none of them. Throws UserError: it is no campaign, or of a later
// version of Faultline.
void bring_up_to_date(Database& database);

} // namespace faultline::campaign
