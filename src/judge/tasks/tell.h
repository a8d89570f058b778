// Where a worker's messages go.
#pragma once

#include "base/clock.h"
#include "finding/message.h"
#include "search/evaluator.h"

#include <functional>

namespace faultline::judge {

using Tell = std::function<void(const finding::Message&)>;

// How far an exploration of branches is, told to the supervisor: cover and test vectors have this in common.

// Counts the runs that it sees, and tells of them now and then.
search::Evaluator::Watch telling_runs(const Tell& tell);

// The wall-clock time of a hunt in one function, with judging and diagnosing: --budget. Work is counted, not timed, so
// that the same seed has the same findings; the clock ends what takes longer than the count foresaw, and the report
// says so.

// Of the budget, when each of these ends at the latest. What was counted ends long before.
inline constexpr double end_of_search = 0.6, end_of_judging = 0.9, end_of_simplifying = 1.2, end_of_diagnosing = 1.5,
                        end_of_lifted_runs = 1.8;

class Deadline {
public:
  // `spent`: seconds that are gone already.
  explicit Deadline(double budget, double spent = 0) : budget_(budget), watch_(spent) {}

  double seconds() const { return watch_.seconds(); }
  // Is this share of the budget over? What asks has been cut, if it is.
  bool passed(double share) {
    const bool over = seconds() >= share * budget_;
    cut_ = cut_ || over;
    return over;
  }
  double left(double share) const { return share * budget_ - seconds(); }
  // Carries this out, unless that share is over. If it takes longer than a limit allows, it is left out as well.
  void within(double share, const auto& step) {
    try {
      if (!passed(share))
        step();
    } catch (const base::TimeLimitExceeded&) {
      cut_ = true;
    }
  }
  bool cut() const { return cut_; }

private:
  double budget_;
  base::Stopwatch watch_;
  bool cut_ = false;
};

} // namespace faultline::judge
