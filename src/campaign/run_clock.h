// The time of a run, on the clock: when no job is begun any more, and when nobody waits for those that are under way.
#pragma once

#include "base/clock.h"

#include <algorithm>
#include <optional>

namespace faultline::campaign {

class RunClock {
public:
  explicit RunClock(std::optional<double> limit) : limit_(limit) {}

  double seconds() const { return watch_.seconds(); }
  std::optional<double> left() const { return limit_ ? std::optional(*limit_ - seconds()) : std::nullopt; }
  bool is_over() const { return limit_ && seconds() >= *limit_; }
  // Jobs that are under way when the time is up may come to their end, for so long.
  bool grace_is_over() const { return limit_ && seconds() >= *limit_ + std::clamp(0.05 * *limit_, 2.0, 30.0); }

private:
  std::optional<double> limit_;
  base::Stopwatch watch_;
};

} // namespace faultline::campaign
