// The wall-clock time of a hunt in one function, with judging and diagnosing: --budget. Work is counted, not timed, so
// that the same seed has the same findings; the clock is a fuse for what takes longer than the count foresaw, and the
// report says that it blew.
#pragma once

#include "numeric/fuse.h"

#include <chrono>

namespace faultline::judge {

// Of the budget, when each of these ends at the latest. What was counted ends long before.
inline constexpr double end_of_search = 0.6, end_of_judging = 0.9, end_of_simplifying = 1.2, end_of_diagnosing = 1.5,
                        end_of_lifted_runs = 1.8;

class Deadline {
public:
  // `spent`: seconds that are gone already.
  explicit Deadline(double budget, double spent = 0)
      : budget_(budget), spent_(spent), begin_(std::chrono::steady_clock::now()) {}

  double seconds() const {
    return spent_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  // Is this share of the budget over? What asks has been cut, if it is.
  bool passed(double share) {
    const bool over = seconds() >= share * budget_;
    cut_ = cut_ || over;
    return over;
  }
  double left(double share) const { return share * budget_ - seconds(); }
  // Carries this out, unless that share is over. If it takes so long that a fuse blows, it is left out as well.
  void within(double share, const auto& step) {
    try {
      if (!passed(share))
        step();
    } catch (const numeric::BlownFuse&) {
      cut_ = true;
    }
  }
  bool cut() const { return cut_; }

private:
  double budget_, spent_;
  std::chrono::steady_clock::time_point begin_;
  bool cut_ = false;
};

} // namespace faultline::judge
