// What the page of a campaign shows beside its report: the dashboard. The page makes text and pictures of it (web/).
#pragma once

#include "finding/campaign/page.h"
#include "finding/json/json.h"
#include "finding/report.h"

namespace faultline::report {

// Lists of equal length for the curve and the functions: they are many, and keys would be most of the file.
finding::Json campaign_data(const finding::CampaignPage& page);

// The report without what a page does not show: findings that are folded, which it counts, and further inputs. Of a
// library they would be a quarter of the file.
finding::Report as_shown(finding::Report report);

} // namespace faultline::report
