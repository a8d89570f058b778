#include "campaign/stored_report.h"

#include "campaign/store/finding_table.h"
#include "campaign/store/target_table.h"
#include "finding/collection.h"
#include "finding/json/finding_json.h"
#include "finding/version.h"
#include "frontend/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace faultline::campaign {

using finding::Report;
using finding::TargetReport;
using frontend::status_usage;
using frontend::UserError;

namespace {

TargetReport target_in(const Database& database, const Rows& rows) {
  TargetReport target =
      finding::parse_target(rows.text(1), fmt::format("{}, target {}", database.file(), rows.whole(0)));
  const auto outcome = finding::target_outcome_of(rows.text(2));
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

// Findings are errors that were seen, too: all that is known of a past run, or of one that did not note the largest.
void note_largest(TargetReport& target) {
  for (const finding::Finding& finding : target.findings) {
    if (!finding.error || !is_error(finding.kind))
      continue;
    const std::optional<finding::Largest> seen = finding::Largest{finding.input, *finding.error};
    keep_larger(target.largest, seen);
    if (finding.everyday)
      keep_larger(target.largest_everyday, seen);
  }
}

// Of a past run it is known what was found, and not why nothing was.
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
    target.outcome = finding::TargetOutcome::none;
  else if (target.proof && target.proof->proved && target.outcome == finding::TargetOutcome::none)
    target.outcome = finding::TargetOutcome::proved; // later rounds have found nothing, of course
}

} // namespace

Report stored_report(Database& database, std::optional<int64_t> after_run) {
  Report report;
  report.version = finding::version;
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
  for_each_finding(database, after_run, [&](int64_t target, finding::Finding finding) {
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
  throw UserError(status_usage, fmt::format("{}: has no run or commit '{}'", database.file(), word),
                  "faultline campaign status DIR lists the runs");
}

} // namespace faultline::campaign
