// The page of a campaign, from its store: how it stands, what is known of each function beside its findings, and what
// is new since the last page.
#pragma once

#include "campaign/store/database.h"
#include "finding/campaign/page.h"
#include "finding/problem.h"

#include <string>

namespace faultline::campaign {

// `problems` are those of stored_report(database), as it is now.
finding::CampaignPage campaign_page(Database& database, const std::string& folder,
                                    const std::vector<finding::Problem>& problems);

} // namespace faultline::campaign
