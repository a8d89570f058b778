#include "campaign/store/finding_table.h"

#include "base/error.h"
#include "campaign/store/campaign_file.h"
#include "model/finding.h"
#include "model/json/finding_json.h"
#include "model/json/json_place.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::campaign {

using model::Finding;

namespace {

constexpr auto state_names = std::to_array<std::pair<TargetState, std::string_view>>({
    {TargetState::open, "open"},
    {TargetState::known, "known"},
    {TargetState::undiagnosed, "undiagnosed"},
    {TargetState::refused, "refused"},
    {TargetState::gone, "gone"},
});

int64_t add_version(Database& database, int64_t target, const Version& version, int64_t run) {
  database.run("INSERT INTO programs (target, code, places, settings, first_run) VALUES (?, ?, ?, ?, ?)", target,
               version.code, version.places, version.settings, run);
  return database.last_row();
}

void note_inputs(Database& database, int64_t target, const std::vector<InputNote>& inputs) {
  database.run("DELETE FROM ranges WHERE target = ?", target);
  for (const InputNote& note : inputs)
    database.run("INSERT OR REPLACE INTO ranges VALUES (?, ?, ?, ?, nullif(?, ''), nullif(?, ''))", target, note.input,
                 note.low, note.high, note.everyday_low, note.everyday_high);
}

std::string head_text(const TargetNow& now) { return model::json_text(to_json(now.head)); }

void store_head(Database& database, int64_t target, const TargetNow& now) {
  database.run("UPDATE targets SET file = ?, line = ?, head = ? WHERE id = ?", now.head.file, now.head.line,
               head_text(now), target);
  note_inputs(database, target, now.inputs);
}

std::optional<model::Proof> proof_of(Database& database, int64_t target) {
  Rows rows = database.ask("SELECT head FROM targets WHERE id = ?", target);
  return rows.next() ? model::parse_target(rows.text(0), fmt::format("{}, target {}", database.file(), target)).proof
                     : std::nullopt;
}

std::string largest_text(const std::optional<model::Largest>& largest) {
  return largest ? model::json_text(to_json(*largest)) : std::string();
}

std::vector<PastProblem> problems_in(Database& database, int64_t page) {
  std::vector<PastProblem> problems;
  Rows rows = database.ask("SELECT problem, fingerprint, tier, class, file, line, function FROM reported "
                           "WHERE report = ? ORDER BY tier, file, line, problem",
                           page);
  while (rows.next()) {
    if (problems.empty() || problems.back().id != rows.text(0))
      problems.push_back(
          {{rows.text(2), rows.text(3), rows.text(4), int(rows.whole(5)), rows.text(6)}, rows.text(0), {}});
    problems.back().fingerprints.push_back(rows.text(1));
  }
  return problems;
}

std::optional<double> error_of(const Finding& finding) {
  if (!finding.error || std::isnan(finding.error->relative))
    return std::nullopt;
  return finding.error->relative;
}

Finding read(const Database& database, const Rows& rows, int row, int json) {
  return model::parse_finding(rows.text(json), fmt::format("{}, finding {}", database.file(), rows.whole(row)));
}

} // namespace

std::optional<model::Largest> largest_in(const Database& database, const Rows& rows, int column) {
  if (rows.is_null(column))
    return std::nullopt;
  return model::read_json(rows.text(column), database.file() + ", largest error", model::from_json<model::Largest>);
}

std::string_view text(TargetState state) { return model::name_of(state_names, state); }
std::optional<TargetState> target_state_of(std::string_view text) { return model::id_of(state_names, text); }

std::vector<TargetRow> targets_of(Database& database) {
  std::vector<TargetRow> targets;
  Rows rows = database.ask(
      "SELECT t.id, t.function, t.symbol, t.state, t.program, p.code, p.places, p.settings, t.rounds, t.granted, "
      "t.seconds, t.news, t.news_seconds, t.quiet, t.reached, t.everyday_error, t.largest_everyday, t.largest "
      "FROM targets t JOIN programs p ON p.id = t.program ORDER BY t.id");
  while (rows.next()) {
    const auto state = target_state_of(rows.text(3));
    if (!state)
      throw base::UserError(base::status_usage,
                            fmt::format("{}: target {} has an unknown state", database.file(), rows.whole(0)), "");
    targets.push_back({.id = rows.whole(0),
                       .function = rows.text(1),
                       .symbol = rows.text(2),
                       .state = *state,
                       .program = rows.whole(4),
                       .version = {rows.text(5), rows.text(6), rows.text(7)},
                       .rounds = uint64_t(rows.whole(8)),
                       .granted = uint64_t(rows.whole(9)),
                       .seconds = rows.number(10),
                       .news = rows.number(11),
                       .news_seconds = rows.number(12),
                       .quiet = uint64_t(rows.whole(13)),
                       .reached = uint64_t(rows.whole(14)),
                       .everyday_error = rows.number(15),
                       .largest_everyday = largest_in(database, rows, 16),
                       .largest = largest_in(database, rows, 17)});
  }
  return targets;
}

int64_t add_target(Database& database, const TargetNow& now, int64_t run) {
  database.run("INSERT INTO targets (function, symbol, file, line, state, head, first_run) "
               "VALUES (?, ?, ?, ?, 'open', ?, ?)",
               now.head.function, now.symbol, now.head.file, now.head.line, head_text(now), run);
  const int64_t target = database.last_row();
  const int64_t version = add_version(database, target, now.version, run);
  database.run("UPDATE targets SET program = ? WHERE id = ?", version, target);
  note_inputs(database, target, now.inputs);
  return target;
}

void update_target(Database& database, int64_t target, const TargetNow& now, int64_t run, TargetState state,
                   bool starts_over) {
  store_head(database, target, now);
  const int64_t version = add_version(database, target, now.version, run);
  database.run("UPDATE targets SET program = ?, state = ?, gone_run = NULL WHERE id = ?", version, text(state), target);
  if (!starts_over)
    return;
  database.run("UPDATE targets SET rounds = 0, granted = 0, news = 0, news_seconds = 0, quiet = 0, reached = 0, "
               "everyday_error = 0, largest_everyday = NULL, largest = NULL, outcome = 'none', note = '' WHERE id = ?",
               target);
  database.run("DELETE FROM incidence WHERE target = ?", target);
}

void note_place(Database& database, int64_t target, const TargetNow& now) {
  TargetNow same = now;
  same.head.proof = proof_of(database, target);
  store_head(database, target, same);
}

void store_proof(Database& database, int64_t target, const model::TargetReport& report) {
  if (!report.proof)
    return;
  Rows rows = database.ask("SELECT head FROM targets WHERE id = ?", target);
  if (!rows.next())
    return;
  model::TargetReport head = model::parse_target(rows.text(0), fmt::format("{}, target {}", database.file(), target));
  head.inputs = report.inputs; // a proof refers to them
  head.proof = report.proof;
  database.run("UPDATE targets SET head = ? WHERE id = ?", model::json_text(to_json(head)), target);
}

void mark_gone(Database& database, int64_t target, int64_t run) {
  database.run("UPDATE targets SET state = 'gone', gone_run = ? WHERE id = ?", run, target);
  database.run("UPDATE findings SET until_run = ? WHERE target = ? AND until_run IS NULL", run, target);
  database.run("DELETE FROM incidence WHERE target = ?", target);
}

void store_progress(Database& database, const TargetRow& row, const TargetEnd& end, double seconds) {
  database.run("UPDATE targets SET state = ?, outcome = ?, note = ?, rounds = ?, granted = ?, "
               "evaluations = evaluations + ?, seconds = seconds + ?, news = ?, news_seconds = ?, quiet = ?, "
               "sites = max(sites, ?), reached = ?, everyday_error = ?, largest_everyday = nullif(?, ''), "
               "largest = nullif(?, '') WHERE id = ?",
               text(row.state), model::text(end.outcome), end.note, row.rounds, row.granted, end.evaluations, seconds,
               row.news, row.news_seconds, row.quiet, end.sites, row.reached, row.everyday_error,
               largest_text(row.largest_everyday), largest_text(row.largest), row.id);
}

std::string state_of_page(Database& database) {
  return fmt::format(
      "{} {} {} {}", database.whole("SELECT max(id) FROM runs"), database.whole("SELECT sum(evaluations) FROM targets"),
      database.whole("SELECT count(*) FROM jobs WHERE state = 'done'"), database.whole("SELECT max(id) FROM findings"));
}

std::optional<PastPage> last_page(Database& database) {
  Rows rows = database.ask("SELECT id, written, run FROM reports WHERE state <> ? ORDER BY id DESC LIMIT 1",
                           state_of_page(database));
  if (!rows.next())
    return std::nullopt;
  return PastPage{rows.whole(1), rows.whole(2), problems_in(database, rows.whole(0))};
}

void note_page(Database& database, const std::string& state, const std::vector<model::Problem>& problems) {
  Transaction transaction(database);
  if (database.whole("SELECT EXISTS (SELECT 1 FROM reports WHERE id = (SELECT max(id) FROM reports) AND state = ?)",
                     state) != 0)
    return;
  database.run("INSERT INTO reports (written, run, state) VALUES (?, (SELECT coalesce(max(id), 0) FROM runs), ?)",
               seconds_now(), state);
  const int64_t page = database.last_row();
  for (const model::Problem& problem : problems)
    for (const model::Evidence& evidence : problem.findings)
      database.run("INSERT OR IGNORE INTO reported VALUES (?, ?, ?, ?, ?, ?, ?, ?)", page, problem.id,
                   evidence.finding->fingerprint, model::text(problem.tier), problem.fault, problem.file, problem.line,
                   problem.target().function);
  database.run(
      "DELETE FROM reports WHERE id < (SELECT min(id) FROM (SELECT id FROM reports ORDER BY id DESC LIMIT 2))");
  transaction.commit();
}

std::map<int64_t, JobRow> open_jobs(Database& database) {
  std::map<int64_t, JobRow> jobs;
  Rows rows = database.ask("SELECT j.id, j.target, j.program, j.round, j.arm, j.seed, j.evaluations, j.killed "
                           "FROM jobs j JOIN targets t ON t.id = j.target AND t.program = j.program "
                           "WHERE j.state = 'open' ORDER BY j.id DESC");
  while (rows.next())
    jobs[rows.whole(1)] = {rows.whole(0), rows.whole(1),           rows.whole(2),           rows.whole(3),
                           rows.text(4),  uint64_t(rows.whole(5)), uint64_t(rows.whole(6)), rows.text(7)};
  return jobs;
}

JobRow begin_job(Database& database, JobRow job, int64_t run) {
  if (job.round < first_look_round) // these jobs may be repeated
    database.run("DELETE FROM jobs WHERE target = ? AND program = ? AND round = ? AND state = 'done'", job.target,
                 job.program, job.round);
  database.run("INSERT INTO jobs (target, program, round, arm, seed, evaluations, state, run, started) "
               "VALUES (?, ?, ?, ?, ?, ?, 'running', ?, ?) ON CONFLICT (target, program, round) DO UPDATE SET "
               "arm = excluded.arm, seed = excluded.seed, evaluations = excluded.evaluations, state = 'running', "
               "run = excluded.run, started = excluded.started",
               job.target, job.program, job.round, job.arm, job.seed, job.evaluations, run, seconds_now());
  job.id = database.whole("SELECT id FROM jobs WHERE target = ? AND program = ? AND round = ?", job.target, job.program,
                          job.round);
  return job;
}

void begin_again(Database& database, const JobRow& job, const std::string& killed) {
  database.run("UPDATE jobs SET state = 'open', killed = ? WHERE id = ?", killed, job.id);
}

void end_job(Database& database, const JobRow& job, const JobEnd& end) {
  database.run("UPDATE jobs SET state = 'done', seconds = ?, made = ?, outcome = ?, cut = ?, news = ?, "
               "new_problems = ? WHERE id = ?",
               end.seconds, end.made, end.outcome, end.cut, end.news, end.new_problems, job.id);
}

std::vector<PastRound> past_rounds(Database& database, int64_t target, int64_t program) {
  std::vector<PastRound> past;
  Rows rows = database.ask("SELECT arm, news FROM jobs WHERE target = ? AND program = ? AND round >= 0 "
                           "AND state = 'done' ORDER BY round DESC LIMIT ?",
                           target, program, most_rounds_kept);
  while (rows.next())
    past.push_back({rows.text(0), rows.number(1)});
  std::ranges::reverse(past);
  return past;
}

void thin_out(Database& database, int64_t target) {
  database.run("DELETE FROM jobs WHERE target = ?1 AND state = 'done' AND id NOT IN "
               "(SELECT id FROM jobs WHERE target = ?1 AND state = 'done' ORDER BY id DESC LIMIT ?2)",
               target, most_rounds_kept);
}

// Adds a point. If there are too many, deletes every second one, which keeps the shape of the whole curve.
void add_point(Database& database, int64_t run, const CurvePoint& point) {
  database.run("INSERT INTO curve (run, seconds, jobs, evaluations, errors, warnings) VALUES (?, ?, ?, ?, ?, ?)", run,
               point.seconds, point.jobs, point.evaluations, point.errors, point.warnings);
  if (database.whole("SELECT count(*) FROM curve") > most_curve_points)
    database.run("DELETE FROM curve WHERE id IN (SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS place "
                 "FROM curve) WHERE place % 2 = 0)");
}

std::vector<CurvePoint> curve_of(Database& database) {
  std::vector<CurvePoint> points;
  Rows rows = database.ask("SELECT seconds, jobs, evaluations, errors, warnings FROM curve ORDER BY id");
  while (rows.next())
    points.push_back({rows.number(0), uint64_t(rows.whole(1)), uint64_t(rows.whole(2)), uint64_t(rows.whole(3)),
                      uint64_t(rows.whole(4))});
  return points;
}

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
      target, finding.id, finding.fingerprint, key.problem, key.fault, model::text(finding.kind),
      model::text(tier_of(finding)), finding.everyday, key.file, key.line, error_of(finding),
      finding.suppressed ? finding.suppressed->reason : std::string(), model::json_text(to_json(finding)), key.folded,
      is_vague(finding), run);
}

void update_finding(Database& database, int64_t row, const Finding& finding, const ProblemKey& key, int64_t run) {
  database.run("UPDATE findings SET problem = ?, class = ?, file = ?, line = ?, tier = ?, json = ?, folded = ?, "
               "vague = ?, last_run = ? WHERE id = ?",
               key.problem, key.fault, key.file, key.line, model::text(tier_of(finding)),
               model::json_text(to_json(finding)), key.folded, is_vague(finding), run, row);
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
