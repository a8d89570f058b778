#include "campaign/campaign_page.h"

#include "base/error.h"
#include "campaign/store/finding_table.h"
#include "model/collection.h"
#include "model/json/finding_json.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace faultline::campaign {

using namespace model;
using base::status_usage;
using base::UserError;

Unseen unseen_of(const Incidence& incidence) {
  const double once = double(incidence.once), twice = double(incidence.twice);
  if (incidence.once == 0)
    return {};
  Unseen unseen;
  double variance = 0;
  if (incidence.twice > 0) {
    const double ratio = once / twice;
    unseen.estimate = once * once / (2 * twice);
    variance = twice * (ratio * ratio / 2 + ratio * ratio * ratio + ratio * ratio * ratio * ratio / 4);
  } else { // the bias-corrected form, which is defined if none was seen twice
    unseen.estimate = once * (once - 1) / 2;
    const double all = double(incidence.seen) + unseen.estimate;
    variance = once * (once - 1) / 2 + once * (2 * once - 1) * (2 * once - 1) / 4 - std::pow(once, 4) / (4 * all);
  }
  if (unseen.estimate <= 0)
    return {0, 0, std::sqrt(std::fmax(variance, 0)) * 1.96};
  const double spread = std::exp(1.96 * std::sqrt(std::log1p(variance / (unseen.estimate * unseen.estimate))));
  unseen.low = unseen.estimate / spread;
  unseen.high = unseen.estimate * spread;
  return unseen;
}

namespace {

constexpr int64_t several = 3; // rounds: the fewest in which a problem can be seen once, twice, or more often

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

// Estimates the unseen problems that count, in functions with several rounds.
std::optional<CampaignUnseen> unseen_in(Database& database, const CampaignStatus& status) {
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
  return CampaignUnseen{unseen.estimate, unseen.low, unseen.high, functions};
}

std::vector<CampaignFunction> most_time(Database& database) {
  constexpr int most = 10; // fit on a screen
  std::vector<CampaignFunction> functions;
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

TargetReport target_in(const Database& database, const Rows& rows) {
  TargetReport target = model::parse_target(rows.text(1), fmt::format("{}, target {}", database.file(), rows.whole(0)));
  const auto outcome = model::target_outcome_of(rows.text(2));
  if (!outcome)
    throw UserError(status_usage, fmt::format("{}: target {} has no outcome", database.file(), rows.whole(0)), "");
  target.outcome = *outcome;
  target.note = rows.text(3);
  target.evaluations = uint64_t(rows.whole(4));
  target.total_seconds = rows.number(5);
  target.sites = uint64_t(rows.whole(6));
  target.largest_everyday = largest_in(database, rows, 7);
  target.largest = largest_in(database, rows, 8);
  return target;
}

// Updates the largest errors from the findings. They are the only source for a past run, and for runs of versions that
// did not store the largest error.
void note_largest(TargetReport& target) {
  for (const Finding& finding : target.findings) {
    if (!finding.error || !is_error(finding.kind))
      continue;
    const std::optional<Largest> seen = Largest{finding.input, *finding.error};
    keep_larger(target.largest, seen);
    if (finding.everyday)
      keep_larger(target.largest_everyday, seen);
  }
}

// Sets the outcome. For a past run, the findings are known, but not why there were none.
void settle(TargetReport& target, bool now) {
  if (!now) {
    target.largest_everyday = target.largest = std::nullopt;
    target.proof.reset();
  }
  note_largest(target);
  leave_few(target.findings);
  sort_findings(target.findings);
  if (target.counted() > 0)
    target.outcome = outcome_found(target);
  else if (!now)
    target.outcome = TargetOutcome::none;
  else if (target.proof && target.proof->proved && target.outcome == TargetOutcome::none)
    target.outcome = TargetOutcome::proved; // later rounds cannot have found anything
}

std::vector<CampaignTarget> targets_in(Database& database) {
  std::vector<CampaignTarget> targets;
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
    for (const Evidence& evidence : problem.findings)
      if (const auto found = by_finding.find(evidence.finding->id); found != by_finding.end()) {
        const auto [first, is_first] = by_problem.emplace(problem.id, found->second);
        first->second = std::min(first->second, found->second);
      }
  return by_problem;
}

// Problems are recognised by their findings, or by place and class, as in a comparison (model/comparison.h).
CampaignNews news_since(const PastPage& past, const std::vector<Problem>& problems) {
  std::set<std::string> known, present;
  for (const PastProblem& problem : past.problems) {
    known.insert(problem.id);
    known.insert(problem.fingerprints.begin(), problem.fingerprints.end());
  }
  CampaignNews news{past.written, past.run, {}, {}};
  for (const Problem& problem : problems) {
    bool is_known = known.contains(problem.id);
    present.insert(problem.id);
    for (const Evidence& evidence : problem.findings) {
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

Report stored_report(Database& database, std::optional<int64_t> after_run) {
  Report report;
  report.version = model::version;
  const Subject subject = subject_of(database);
  report.command = subject.command;
  report.seed = subject.seed;
  report.configuration = subject.configuration;
  std::map<int64_t, size_t> places;
  Rows rows = database.ask(
      "SELECT id, head, outcome, note, evaluations, seconds, sites, largest_everyday, largest FROM targets WHERE "
      "(?1 IS NULL AND state <> 'gone') OR (first_run <= ?1 AND (gone_run IS NULL OR gone_run > ?1)) " +
          std::string(order_of_targets),
      after_run);
  while (rows.next()) {
    places[rows.whole(0)] = report.targets.size();
    report.targets.push_back(target_in(database, rows));
  }
  for_each_finding(database, after_run, [&](int64_t target, Finding finding) {
    if (const auto place = places.find(target); place != places.end())
      report.targets[place->second].findings.push_back(std::move(finding));
  });
  for (TargetReport& target : report.targets)
    settle(target, !after_run);
  return report;
}

int64_t run_named(Database& database, const std::string& word) {
  const std::vector<RunRow> runs = runs_of(database);
  for (auto run = runs.rbegin(); run != runs.rend(); ++run)
    if (word == std::to_string(run->id))
      return run->id;
  for (auto run = runs.rbegin(); run != runs.rend(); ++run)
    if (!word.empty() && run->commit.starts_with(word))
      return run->id;
  throw UserError(status_usage, fmt::format("{}: no run or commit '{}'", database.file(), word),
                  "faultline campaign status DIR lists the runs");
}

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
