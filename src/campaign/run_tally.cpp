#include "campaign/run_tally.h"

#include "campaign/shared_places.h"

#include <algorithm>

namespace faultline::campaign {

RunTally::RunTally(Database& database, int64_t run, const std::vector<TargetRow>& rows, const RunClock& clock)
    : database_(database), run_(run), clock_(clock), last_news_(clock.seconds()) {
  Rows sums = database.ask("SELECT sum(seconds), sum(evaluations) FROM targets");
  if (sums.next())
    total_ = {sums.number(0), uint64_t(database.whole("SELECT count(*) FROM jobs WHERE state = 'done'")),
              uint64_t(sums.whole(1)), 0, 0};
  RunProgress& progress = result_.progress;
  progress.functions = rows.size();
  progress.problems = count_problems(database);
  progress.looked_at = uint64_t(std::ranges::count_if(rows, [](const TargetRow& row) { return row.rounds > 0; }));
}

void RunTally::add(const Recorded& recorded, bool first_look) {
  ++result_.progress.jobs;
  result_.progress.looked_at += first_look;
  result_.progress.evaluations += recorded.end.made;
  result_.cut += recorded.end.cut;
  result_.again.still += recorded.again.still;
  result_.again.worse += recorded.again.worse;
  result_.again.fixed += recorded.again.fixed;
  total_.seconds += recorded.end.seconds;
  total_.jobs += 1;
  total_.evaluations += recorded.end.made;
  if (recorded.end.new_problems > 0)
    last_news_ = clock_.seconds();
  // A point for each hundredth more, which makes a few hundred points of any campaign. Counting looks at all findings:
  // in large campaigns it waits until it is a small part of the time.
  constexpr double part = 0.05;
  const bool is_worth_a_point = recorded.end.new_problems > 0 || total_.seconds > 1.01 * noted_seconds_;
  if (is_worth_a_point && part * (clock_.seconds() - counted_at_) >= counting_took_)
    note_point();
}

void RunTally::note_point() {
  const double begin = clock_.seconds();
  join_shared_places(database_);
  const ProblemCounts counts = count_problems(database_);
  counted_at_ = clock_.seconds();
  counting_took_ = counted_at_ - begin;
  total_.errors = counts.errors;
  total_.warnings = counts.warnings;
  result_.progress.problems = counts;
  add_point(database_, run_, total_);
  noted_seconds_ = total_.seconds;
}

RunProgress RunTally::progress() const {
  RunProgress now = result_.progress;
  now.seconds = clock_.seconds();
  now.since_news = now.seconds - last_news_;
  return now;
}

RunResult RunTally::result(RunEnding ending) const {
  RunResult result = result_;
  result.ending = ending;
  result.progress = progress();
  return result;
}

} // namespace faultline::campaign
