#include "campaign/campaign_page.h"

#include "campaign/status.h"
#include "campaign/store/report_table.h"
#include "campaign/stored_report.h"

#include <algorithm>
#include <set>

namespace faultline::campaign {

using finding::CampaignPage;
using finding::Problem;

namespace {

std::vector<finding::CampaignTarget> targets_in(Database& database) {
  std::vector<finding::CampaignTarget> targets;
  Rows rows = database.ask("SELECT state, rounds, quiet, min(reached, sites) FROM targets WHERE state <> 'gone' " +
                           std::string(order_of_targets));
  while (rows.next())
    targets.push_back({rows.text(0), uint64_t(rows.whole(1)), uint64_t(rows.whole(2)), uint64_t(rows.whole(3))});
  return targets;
}

std::map<std::string, int64_t> first_runs_of(Database& database, const std::vector<Problem>& problems) {
  std::map<std::string, int64_t> by_finding, by_problem;
  Rows rows = database.ask("SELECT finding, min(first_run) FROM findings WHERE until_run IS NULL GROUP BY finding");
  while (rows.next())
    by_finding[rows.text(0)] = rows.whole(1);
  for (const Problem& problem : problems)
    for (const finding::Evidence& evidence : problem.findings)
      if (const auto found = by_finding.find(evidence.finding->id); found != by_finding.end()) {
        const auto [first, is_first] = by_problem.emplace(problem.id, found->second);
        first->second = std::min(first->second, found->second);
      }
  return by_problem;
}

// Problems are known again by their findings, or by place and class, as in a comparison
// (finding/campaign/comparison.h).
finding::CampaignNews news_since(const PastPage& past, const std::vector<Problem>& problems) {
  std::set<std::string> known, present;
  for (const PastProblem& problem : past.problems) {
    known.insert(problem.id);
    known.insert(problem.fingerprints.begin(), problem.fingerprints.end());
  }
  finding::CampaignNews news{past.written, past.run, {}, {}};
  for (const Problem& problem : problems) {
    bool is_known = known.contains(problem.id);
    present.insert(problem.id);
    for (const finding::Evidence& evidence : problem.findings) {
      is_known = is_known || known.contains(evidence.finding->fingerprint);
      present.insert(evidence.finding->fingerprint);
    }
    if (!is_known)
      news.fresh.push_back(problem.id);
  }
  for (const PastProblem& problem : past.problems)
    if (!present.contains(problem.id) &&
        std::ranges::none_of(problem.fingerprints, [&](const std::string& print) { return present.contains(print); }))
      news.gone.push_back(problem.told);
  return news;
}

} // namespace

CampaignPage campaign_page(Database& database, const std::string& folder, const std::vector<Problem>& problems) {
  CampaignPage page;
  page.status = status_of(database, folder);
  page.targets = targets_in(database);
  page.first_runs = first_runs_of(database, problems);
  if (const std::optional<PastPage> past = last_page(database))
    page.news = news_since(*past, problems);
  return page;
}

} // namespace faultline::campaign
