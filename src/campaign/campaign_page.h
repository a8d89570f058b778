// The page of a campaign, from its store: how it stands, what is known of each function beside its findings, and what
// is new since the last page.
#pragma once

#include "campaign/store/campaign_file.h"
#include "campaign/store/database.h"
#include "finding/comparison.h"
#include "finding/problem.h"
#include "finding/report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace faultline::campaign {

// `problems` are those of stored_report(database), as it is now.
finding::CampaignPage campaign_page(Database& database, const std::string& folder,
                                    const std::vector<finding::Problem>& problems);

// A report, made from the store: what was known of all functions after a run. All that hunts' reports are good for can
// be done with it.

// That of the report's targets.
inline constexpr std::string_view order_of_targets = "ORDER BY file, line, function, id";

// `after_run`: none: now. Throws frontend::UserError: the store says something that cannot be.
finding::Report stored_report(Database& database, std::optional<int64_t> after_run = {});

// The run that a word means, of DIR@WORD: its number, or the last one whose commit begins so. Throws UserError.
int64_t run_named(Database& database, const std::string& word);

// How the campaign stands, asked of its store.
finding::CampaignStatus status_of(Database& database, const std::string& folder);

// How many problems are still to be found? A question of ecology: of how many species does a sample that saw so many
// once, and so many twice, say nothing?
//
// Chao's estimate (Chao 1984; for incidences 1987): at least q1^2 / (2 q2) are unseen, where q1 problems were seen in
// one job and q2 in two. It holds whatever the chances of the single problems are, and however many jobs each function
// had, as a lower bound on what these searches can find at all. The interval is that of Chao (1987), log-normal, 95 %.
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
