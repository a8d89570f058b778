#include "campaign/status.h"

#include "campaign/schedule/richness.h"
#include "campaign/store/campaign_file.h"
#include "campaign/store/finding_table.h"
#include "campaign/store/job_table.h"
#include "campaign/store/lock.h"

namespace faultline::campaign {

using finding::CampaignStatus;

namespace {

constexpr int64_t several = 3; // rounds: from then on a problem could be seen once, twice, or more often

void count_targets(Database& database, CampaignStatus& status) {
  Rows rows = database.ask("SELECT state, count(*), sum(rounds > 0), sum(evaluations), sum(seconds), sum(sites), "
                           "sum(min(reached, sites)) FROM targets GROUP BY state");
  while (rows.next()) {
    const auto count = uint64_t(rows.whole(1));
    status.evaluations += uint64_t(rows.whole(3));
    status.seconds += rows.number(4);
    if (rows.text(0) == "gone") {
      status.gone += count;
      continue;
    }
    status.functions += count;
    status.sites += uint64_t(rows.whole(5));
    status.reached += uint64_t(rows.whole(6));
    if (rows.text(0) == "refused")
      status.refused += count;
    else
      status.looked_at += uint64_t(rows.whole(2));
  }
  Rows jobs = database.ask("SELECT count(*), sum(cut) FROM jobs WHERE state = 'done'");
  if (jobs.next()) {
    status.jobs = uint64_t(jobs.whole(0));
    status.cut = uint64_t(jobs.whole(1));
  }
}

// Of problems that count, in functions that have had several rounds.
std::optional<finding::CampaignUnseen> unseen_in(Database& database, const CampaignStatus& status) {
  const auto functions =
      uint64_t(database.whole("SELECT count(*) FROM targets WHERE rounds >= ? AND state = 'open'", several));
  if (functions == 0 || 2 * functions < status.looked_at)
    return std::nullopt;
  Incidence incidence;
  Rows rows = database.ask("SELECT sum(jobs) FROM incidence i JOIN targets t ON t.id = i.target AND t.rounds >= ? "
                           "WHERE i.tier <> 'note' GROUP BY problem",
                           several);
  while (rows.next()) {
    ++incidence.seen;
    incidence.once += rows.whole(0) == 1;
    incidence.twice += rows.whole(0) == 2;
  }
  const Unseen unseen = unseen_of(incidence);
  return finding::CampaignUnseen{unseen.estimate, unseen.low, unseen.high, functions};
}

std::vector<finding::CampaignFunction> most_time(Database& database) {
  constexpr int most = 10; // a screen has room for
  std::vector<finding::CampaignFunction> functions;
  Rows rows = database.ask("SELECT t.function, t.rounds, t.evaluations, t.seconds, t.quiet, "
                           "(SELECT count(DISTINCT problem) FROM findings f WHERE f.target = t.id AND until_run IS "
                           "NULL AND tier = 'error'), "
                           "(SELECT count(DISTINCT problem) FROM findings f WHERE f.target = t.id AND until_run IS "
                           "NULL AND tier = 'warning') "
                           "FROM targets t WHERE t.state <> 'gone' ORDER BY t.seconds DESC, t.id LIMIT ?",
                           most);
  while (rows.next())
    functions.push_back({rows.text(0), uint64_t(rows.whole(1)), uint64_t(rows.whole(2)), rows.number(3),
                         uint64_t(rows.whole(5)), uint64_t(rows.whole(6)), uint64_t(rows.whole(4))});
  return functions;
}

} // namespace

CampaignStatus status_of(Database& database, const std::string& folder) {
  CampaignStatus status;
  status.folder = folder;
  status.is_running = holder_of_lock(folder).has_value();
  count_targets(database, status);
  const ProblemCounts counts = count_problems(database);
  status.errors = counts.errors;
  status.warnings = counts.warnings;
  status.notes = counts.notes;
  status.unseen = unseen_in(database, status);
  for (const CurvePoint& point : curve_of(database))
    status.curve.push_back({point.seconds, point.errors, point.warnings, point.evaluations});
  status.most_time = most_time(database);
  for (RunRow& run : runs_of(database))
    status.runs.push_back({run.id, run.started, run.ended, run.ending, run.commit});
  return status;
}

} // namespace faultline::campaign
