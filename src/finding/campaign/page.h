// What the page of a campaign shows beside its report, as plain data (report/html/campaign_data.h).
#pragma once

#include "finding/campaign/status.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::finding {

// Of a function.
struct CampaignTarget {
  std::string state; // open, known, refused
  uint64_t rounds = 0, quiet = 0;
  uint64_t reached = 0; // sites
};

// A problem that there is no more.
struct PastProblem {
  std::string tier, fault, file;
  int line = 0;
  std::string function;
};

// What has changed since another page was written.
struct CampaignNews {
  int64_t written = 0;            // when, in seconds since 1970
  int64_t run = 0;                // the last one then
  std::vector<std::string> fresh; // ids of problems
  std::vector<PastProblem> gone;
};

struct CampaignPage {
  CampaignStatus status;
  std::vector<CampaignTarget> targets;       // in the order of the report's
  std::map<std::string, int64_t> first_runs; // by problem's id: the run that found it
  std::optional<CampaignNews> news;          // none: this is the first page
};

} // namespace faultline::finding
