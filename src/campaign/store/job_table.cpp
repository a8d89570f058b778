#include "campaign/store/job_table.h"

#include "campaign/store/campaign_file.h"

#include <algorithm>

namespace faultline::campaign {

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
  if (job.round < first_look_round) // each time that something has changed, was merged, or found in a first look
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

// When there are too many, every second one goes: what is left still tells the shape, the early part as well as the
// late one.
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

} // namespace faultline::campaign
