// What the page of a campaign shows beside its report: the dashboard. The page makes text and pictures of it (web/).
#pragma once

#include "finding/campaign/page.h"
#include "finding/json/json.h"

namespace faultline::report {

// Lists of equal length for the curve and the functions: they are many, and keys would be most of the file.
finding::Json campaign_data(const finding::CampaignPage& page);

} // namespace faultline::report
