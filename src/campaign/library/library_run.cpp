#include "campaign/library/library_run.h"

#include "campaign/blank_report.h"
#include "campaign/library/known_inputs.h"
#include "campaign/library/library_job.h"
#include "campaign/library/shared_places.h"
#include "campaign/library/stored_program.h"
#include "campaign/seen/seen_inputs.h"
#include "campaign/store/extent_table.h"
#include "judge/judge.h"
#include "judge/space_of_target.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>

namespace faultline::campaign {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point time) { return std::chrono::duration<double>(Clock::now() - time).count(); }

// Jobs that are under way when the time is up may come to their end, for so long.
double grace(double seconds) { return std::clamp(0.05 * seconds, 2.0, 30.0); }

class LibraryRun {
public:
  LibraryRun(Database& database, const Options& options, const Subject& subject, const RunLimits& limits,
             const RunListener& listener)
      : database_(database), options_(options), subject_(subject), limits_(limits), listener_(listener),
        begin_(Clock::now()),
        last_news_(begin_), gathering_{options, quiet_, finding::SetAside(nullptr), CorpusSession(nullptr), {}} {
    gathering_.stop = &halt_;
  }

  RunResult run(const std::string& folder, const std::string& commit, const std::atomic<bool>& stop) {
    const ExtentMemory memory = extent_memory(database_);
    Prey prey = prey_of(options_, stop, &memory);
    if (stop) { // functions that were not measured are not gone
      result_.ending = "stopped";
      return result_;
    }
    prey_ = &prey;
    run_ = begin_run(database_, {commit, store_program(prey.program, options_.sources, folder),
                                 blank_report(options_).configuration});
    prepare(prey);
    campaign::run([this] { return next(); }, prey.program, options_.jobs, options_.worker, halt_,
                  [&] { look_around(stop); });
    result_.ending = stop ? "stopped" : out_of_time() ? "time" : "evaluations";
    note_point();
    end_run(database_, run_, result_.ending);
    result_.progress.seconds = seconds_since(begin_);
    return result_;
  }

private:
  void prepare(Prey& prey) {
    StoredPrey stored = store_prey(database_, prey, run_);
    rows_ = std::move(stored.rows);
    if (listener_.on_begin)
      listener_.on_begin(stored.changes);
    left_over_ = open_jobs(database_);
    busy_.resize(rows_.size());
    for (size_t i = 0; i < rows_.size(); ++i) {
      has_outputs_.push_back(!judge::judged_outputs(prey.targets[i], prey.settings[i]).empty());
      references_.push_back(judge::load_reference(prey.settings[i], options_.sources.flags, prey.targets[i]));
    }
    turn_ = uint64_t(database_.whole("SELECT max(id) FROM jobs"));
    totals();
  }

  void totals() {
    Rows rows = database_.ask("SELECT sum(seconds), sum(evaluations) FROM targets");
    if (rows.next())
      total_ = {rows.number(0), uint64_t(database_.whole("SELECT count(*) FROM jobs WHERE state = 'done'")),
                uint64_t(rows.whole(1)), 0, 0};
    result_.progress.functions = rows_.size();
    result_.progress.problems = count_problems(database_);
    result_.progress.looked_at =
        uint64_t(std::ranges::count_if(rows_, [](const TargetRow& row) { return row.rounds > 0; }));
  }

  bool out_of_time() const { return limits_.seconds && seconds_since(begin_) >= *limits_.seconds; }

  bool has_had_all(size_t i) const {
    const TargetRow& row = rows_[i];
    if (row.state == TargetState::refused || !has_outputs_[i])
      return true;
    return row.state == TargetState::open && limits_.evaluations && row.granted >= *limits_.evaluations;
  }

  std::optional<Assignment> next() {
    if (halt_ || out_of_time())
      return std::nullopt;
    std::vector<campaign::Candidate> candidates;
    for (size_t i = 0; i < rows_.size(); ++i)
      candidates.push_back({&rows_[i], busy_[i] || has_had_all(i)});
    const std::optional<size_t> chosen = choose(candidates, turn_);
    if (!chosen)
      return std::nullopt;
    ++turn_;
    busy_[*chosen] = true;
    return begin(*chosen);
  }

  // A job that was left over is the same as the one that would be made.
  JobRow row_of_next(const TargetRow& row, const finding::Settings& settings) {
    if (const auto left = left_over_.find(row.id); left != left_over_.end()) {
      JobRow job = left->second;
      left_over_.erase(left);
      return job;
    }
    if (row.state == TargetState::known)
      return {0, row.id, row.program, known_inputs_round, "auto", subject_.seed, 1};
    if (row.state == TargetState::undiagnosed)
      return {0, row.id, row.program, diagnosis_round, "auto", subject_.seed, 1};
    Round round = next_round({row.symbol, subject_.seed, row.rounds, past_rounds(database_, row.id, row.program)},
                             arms_for(settings));
    if (limits_.evaluations)
      round.evaluations = std::min(round.evaluations, *limits_.evaluations - row.granted);
    return {0, row.id, row.program, round.number, round.arm, round.seed, round.evaluations};
  }

  Assignment begin(size_t i) {
    const finding::Settings& settings = prey_->settings[i];
    JobPlan plan;
    plan.row = begin_job(database_, row_of_next(rows_[i], settings), run_);
    plan.target = &prey_->targets[i];
    plan.measured = prey_->measured[i];
    plan.settings = settings_of({plan.row.round, plan.row.arm, plan.row.seed, plan.row.evaluations}, settings);
    plan.task.operations = plan.row.round == first_look_round ? operations_of_first_look : operations_of_job;
    plan.reference = references_[i] ? &*references_[i] : nullptr;
    if (plan.row.round == known_inputs_round)
      plan.task.retries = known_inputs(database_, rows_[i].id, *plan.target, settings);
    else if (plan.row.round == diagnosis_round)
      plan.task.retries = inputs_to_diagnose(database_, rows_[i].id, *plan.target, settings);
    else
      plan.task.known = known_causes_of(database_, rows_[i].id);
    plan.task.briefly = plan.row.round == first_look_round;
    if (plan.row.round == first_look_round && options_.seen)
      add_seen(plan.task.retries, *options_.seen, *plan.target, settings);
    const auto job =
        std::make_shared<LibraryJob>(gathering_, std::move(plan), [this, i](LibraryJob& done) { end(i, done); });
    database_.keep_from_forks();
    return job->assignment();
  }

  void end(size_t i, LibraryJob& job) {
    busy_[i] = false;
    if (!job.killed().empty() && job.killed() != job.row().killed) {
      begin_again(database_, job.row(), job.killed());
      left_over_[rows_[i].id] = job.row();
      left_over_[rows_[i].id].killed = job.killed();
      return database_.keep_from_forks();
    }
    const finding::TargetReport& found = job.report();
    result_.progress.looked_at += rows_[i].rounds == 0 && job.row().round >= 0;
    const Recorded recorded = record(database_, rows_[i], job.row(), {found, job.again(), job.reached()}, run_);
    add(recorded);
    database_.keep_from_forks();
  }

  void add(const Recorded& recorded) {
    ++result_.progress.jobs;
    result_.progress.evaluations += recorded.end.made;
    result_.cut += recorded.end.cut;
    result_.again.still += recorded.again.still;
    result_.again.worse += recorded.again.worse;
    result_.again.fixed += recorded.again.fixed;
    total_.seconds += recorded.end.seconds;
    total_.jobs += 1;
    total_.evaluations += recorded.end.made;
    if (recorded.end.new_problems > 0) {
      last_news_ = Clock::now();
      result_.progress.problems = count_problems(database_);
    }
    // A point for each hundredth more, which makes a few hundred points of any campaign.
    if (recorded.end.new_problems > 0 || total_.seconds > 1.01 * noted_seconds_)
      note_point();
  }

  void note_point() {
    join_shared_places(database_);
    const ProblemCounts counts = count_problems(database_);
    total_.errors = counts.errors;
    total_.warnings = counts.warnings;
    result_.progress.problems = counts;
    add_point(database_, run_, total_);
    noted_seconds_ = total_.seconds;
  }

  void look_around(const std::atomic<bool>& stop) {
    if (stop || (limits_.seconds && seconds_since(begin_) >= *limits_.seconds + grace(*limits_.seconds)))
      halt_ = true;
    result_.progress.seconds = seconds_since(begin_);
    result_.progress.since_news = seconds_since(last_news_);
    if (listener_.on_progress)
      listener_.on_progress(result_.progress);
  }

  Database& database_;
  const Options& options_;
  const Subject& subject_;
  const RunLimits& limits_;
  const RunListener& listener_;
  const Listener quiet_;
  std::atomic<bool> halt_ = false; // nobody waits for jobs that are under way any more
  Clock::time_point begin_, last_news_;
  Gathering gathering_;
  Prey* prey_ = nullptr;
  int64_t run_ = 0;
  std::vector<TargetRow> rows_;          // by target of the prey, as the next ones
  std::vector<bool> busy_, has_outputs_; // has outputs: some that --output names
  std::vector<std::optional<exec::Reference>> references_;
  std::map<int64_t, JobRow> left_over_; // by target's row
  uint64_t turn_ = 0;
  CurvePoint total_; // of the campaign
  double noted_seconds_ = 0;
  RunResult result_;
};

} // namespace

RunResult run_library(Database& database, const std::string& folder, const Options& options, const Subject& subject,
                      const std::string& commit, const RunLimits& limits, const RunListener& listener,
                      const std::atomic<bool>& stop) {
  return LibraryRun(database, options, subject, limits, listener).run(folder, commit, stop);
}

} // namespace faultline::campaign
