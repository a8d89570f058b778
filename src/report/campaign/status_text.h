// A campaign's state on a screen: what it found, how it came, what is left, and whether more time is likely to pay.
#pragma once

#include "finding/campaign/status.h"
#include "report/style.h"

#include <string>
#include <vector>

namespace faultline::report {

// `full`: all runs.
std::string status_text(const finding::CampaignStatus& status, const Style& style, bool full);

// Problems over seconds, in characters: steps of #, axes with their numbers. Empty: there are no two points.
std::string curve_text(const std::vector<finding::CampaignPoint>& curve);

// One sentence: go on?
std::string outlook_text(const finding::CampaignStatus& status);

std::string duration_text(double seconds); // 12.3 s, 4 min, 8.1 h

} // namespace faultline::report
