// A campaign's state on a screen: its findings, their history, an estimate of the rest, and whether more time is likely
// to find more.
#pragma once

#include "model/comparison.h"
#include "report/text.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::report {

struct StatusForm {
  bool full = false;           // lists all runs
  size_t columns = 80;         // names of functions are shortened and sentences wrapped to fit
  std::optional<size_t> lines; // limit: shows the most important part, without the runs
};
std::string status_text(const model::CampaignStatus& status, const Style& style, const StatusForm& form);

// The state in one line, for a log.
std::string status_line(const model::CampaignStatus& status);

// The number of problems over seconds as text: steps of #, axes with numbers. Empty for fewer than two points.
std::string curve_text(const std::vector<model::CampaignPoint>& curve);

// One sentence on whether to continue.
std::string outlook_text(const model::CampaignStatus& status);

std::string duration_text(double seconds); // 12.3 s, 4 min 10 s, 25 min, 8.1 h

// Changes of a library's problems between two states, a line each.
std::string comparison_text(const model::Comparison& comparison, const Style& style, bool quiet);

} // namespace faultline::report
