// How the campaign stands, asked of its store.
#pragma once

#include "campaign/store/database.h"
#include "finding/campaign/status.h"

namespace faultline::campaign {

finding::CampaignStatus status_of(Database& database, const std::string& folder);

} // namespace faultline::campaign
