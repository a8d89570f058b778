// The destination of a worker's messages.
#pragma once

#include "base/clock.h"
#include "model/message.h"
#include "search/evaluator.h"

#include <functional>

namespace faultline::judge {

using Tell = std::function<void(const model::Message&)>;

// The progress of an exploration of branches, for cover and test vectors.

// Counts the runs it sees and reports them now and then.
search::Evaluator::Watch telling_runs(const Tell& tell);

// The wall-clock limits of a hunt in one function, with judging and diagnosing: --budget. Work is counted, not timed,
// so that the same seed gives the same findings. The clock ends work that exceeds the estimate, and the report says so.

// The latest end of each part, as a fraction of the budget. Counted work ends long before.
inline constexpr double end_of_search = 0.6, end_of_judging = 0.9, end_of_simplifying = 1.2, end_of_diagnosing = 1.5,
                        end_of_lifted_runs = 1.8;

class Deadline {
public:
  // `spent`: seconds already used.
  explicit Deadline(double budget, double spent = 0) : budget_(budget), watch_(spent) {}

  double seconds() const { return watch_.seconds(); }
  // True if this share of the budget is over; then the caller's work counts as cut.
  bool passed(double share) {
    const bool over = seconds() >= share * budget_;
    cut_ = cut_ || over;
    return over;
  }
  double left(double share) const { return share * budget_ - seconds(); }
  // Carries out the step unless that share is over. A step that exceeds a time limit is skipped as well.
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
