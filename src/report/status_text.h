// A campaign's state on a screen: what it found, how it came, what is left, and whether more time is likely to pay.
#pragma once

#include "finding/comparison.h"
#include "report/style.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::report {

struct StatusForm {
  bool full = false;           // all runs
  size_t columns = 80;         // names of functions are cut to fit, sentences are wrapped
  std::optional<size_t> lines; // at most: what matters most, without the runs
};
std::string status_text(const finding::CampaignStatus& status, const Style& style, const StatusForm& form);

// The same in one line, for a log.
std::string status_line(const finding::CampaignStatus& status);

// Problems over seconds, in characters: steps of #, axes with their numbers. Empty: there are no two points.
std::string curve_text(const std::vector<finding::CampaignPoint>& curve);

// One sentence: go on?
std::string outlook_text(const finding::CampaignStatus& status);

std::string duration_text(double seconds); // 12.3 s, 4 min 10 s, 25 min, 8.1 h

// What has become of a library's problems between two states: a line each.
std::string comparison_text(const finding::Comparison& comparison, const Style& style, bool quiet);

} // namespace faultline::report
