#include "campaign/store/finding_table.h"

#include "finding/json/finding_json.h"
#include "finding/problem.h"

#include <cmath>
#include <fmt/format.h>

namespace faultline::campaign {

using finding::Finding;

namespace {

std::optional<double> error_of(const Finding& finding) {
  if (!finding.error || std::isnan(finding.error->relative))
    return std::nullopt;
  return finding.error->relative;
}

Finding read(const Database& database, const Rows& rows, int row, int json) {
  return finding::parse_finding(rows.text(json), fmt::format("{}, finding {}", database.file(), rows.whole(row)));
}

} // namespace

std::vector<StoredFinding> findings_of(Database& database, int64_t target) {
  std::vector<StoredFinding> findings;
  Rows rows = database.ask("SELECT id, json FROM findings WHERE target = ? AND until_run IS NULL ORDER BY id", target);
  while (rows.next())
    findings.push_back({rows.whole(0), read(database, rows, 0, 1)});
  return findings;
}

void add_finding(Database& database, int64_t target, const Finding& finding, const ProblemKey& key, int64_t run) {
  database.run(
      "INSERT INTO findings (target, finding, fingerprint, problem, class, kind, tier, everyday, file, line, "
      "error, suppressed, json, folded, vague, first_run, last_run, since_run) VALUES (?1, ?2, ?3, ?4, ?5, ?6, "
      "?7, ?8, ?9, ?10, ?11, nullif(?12, ''), ?13, ?14, ?15, coalesce((SELECT min(first_run) FROM findings "
      "WHERE target = ?1 AND fingerprint = ?3), ?16), ?16, ?16)",
      target, finding.id, finding.fingerprint, key.problem, key.fault, finding::text(finding.kind),
      finding::text(tier_of(finding)), finding.everyday, key.file, key.line, error_of(finding),
      finding.suppressed ? finding.suppressed->reason : std::string(), finding::json_text(to_json(finding)), key.folded,
      is_vague(finding), run);
}

void update_finding(Database& database, int64_t row, const Finding& finding, const ProblemKey& key, int64_t run) {
  database.run("UPDATE findings SET problem = ?, class = ?, file = ?, line = ?, tier = ?, json = ?, folded = ?, "
               "vague = ?, last_run = ? WHERE id = ?",
               key.problem, key.fault, key.file, key.line, finding::text(tier_of(finding)),
               finding::json_text(to_json(finding)), key.folded, is_vague(finding), run, row);
}

void end_finding(Database& database, int64_t row, int64_t run) {
  database.run("DELETE FROM findings WHERE id = ? AND since_run = ?", row, run);
  database.run("UPDATE findings SET until_run = ? WHERE id = ?", run, row);
}

void take_back_findings(Database& database, int64_t target, int64_t run) {
  constexpr const char* same = "target, finding, fingerprint, problem, class, kind, tier, everyday, file, line, error, "
                               "suppressed, json, folded, vague, first_run, last_run";
  database.run(fmt::format("INSERT INTO findings ({0}, since_run) SELECT {0}, ? FROM findings WHERE target = ? AND "
                           "until_run = (SELECT gone_run FROM targets WHERE id = target)",
                           same),
               run, target);
}

void for_each_finding(Database& database, std::optional<int64_t> after_run,
                      const std::function<void(int64_t, Finding)>& take) {
  Rows rows = database.ask("SELECT id, target, json FROM findings WHERE "
                           "(?1 IS NULL AND until_run IS NULL) OR "
                           "(since_run <= ?1 AND (until_run IS NULL OR until_run > ?1)) ORDER BY target, id",
                           after_run);
  while (rows.next())
    take(rows.whole(1), read(database, rows, 0, 2));
}

ProblemCounts count_problems(Database& database) {
  ProblemCounts counts;
  Rows rows = database.ask(
      "SELECT tier, count(*) FROM (SELECT min(CASE tier WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END) AS tier "
      "FROM findings WHERE until_run IS NULL AND suppressed IS NULL AND NOT folded GROUP BY file, problem) GROUP BY "
      "tier");
  while (rows.next())
    (rows.whole(0) == 0   ? counts.errors
     : rows.whole(0) == 1 ? counts.warnings
                          : counts.notes) = uint64_t(rows.whole(1));
  return counts;
}

bool is_problem_known(Database& database, const std::string& problem) {
  return database.whole("SELECT EXISTS (SELECT 1 FROM incidence WHERE problem = ?)", problem) != 0;
}

void note_incidence(Database& database, const std::string& problem, int64_t target, const std::string& tier) {
  database.run("INSERT INTO incidence VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET jobs = jobs + 1, "
               "tier = excluded.tier",
               problem, target, tier);
}

} // namespace faultline::campaign
