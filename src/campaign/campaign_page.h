// Makes the page of a campaign from its store: its status, the facts about each function other than its findings, and
// the news since the last page.
#pragma once

#include "campaign/store/campaign_file.h"
#include "campaign/store/database.h"
#include "model/comparison.h"
#include "model/problem.h"
#include "model/report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace faultline::campaign {

// `problems`: those of the current stored_report(database).
model::CampaignPage campaign_page(Database& database, const std::string& folder,
                                  const std::vector<model::Problem>& problems);

// The order of a stored report's targets.
inline constexpr std::string_view order_of_targets = "ORDER BY file, line, function, id";

// Makes a report from the store: what was known of all functions after a run; none: now. It can be used as a hunt's
// report. Throws base::UserError if the store is inconsistent.
model::Report stored_report(Database& database, std::optional<int64_t> after_run = {});

// Returns the run that WORD of DIR@WORD names: the run of this number, or the last one whose commit begins with it.
// Throws UserError.
int64_t run_named(Database& database, const std::string& word);

// Reads the status of the campaign from its store.
model::CampaignStatus status_of(Database& database, const std::string& folder);

// An estimate of the number of problems still to be found. Ecology estimates unseen species in the same way, from the
// numbers of species that a sample saw once and twice.
//
// Chao's estimate (Chao 1984; for incidences 1987): at least q1^2 / (2 q2) are unseen, where q1 problems were seen in
// one job and q2 in two. It is a lower bound on what these searches can find, for any probabilities of the single
// problems and any number of jobs per function. The interval is that of Chao (1987), log-normal, 95 %.
struct Incidence {
  uint64_t seen = 0;            // problems
  uint64_t once = 0, twice = 0; // of these, in one job, and in two
};

struct Unseen {
  double estimate = 0;
  double low = 0, high = 0;
};
Unseen unseen_of(const Incidence& incidence);

} // namespace faultline::campaign
