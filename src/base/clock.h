// The clock. Limits count work, not time, so that results are the same on every machine. The clock only stops work that
// takes much longer than its count suggests.
#pragma once

#include <algorithm>
#include <chrono>

namespace faultline::base {

using Clock = std::chrono::steady_clock;

inline double seconds_of(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

// Seconds since construction, plus `before`.
class Stopwatch {
public:
  explicit Stopwatch(double before = 0) : before_(before) {}
  double seconds() const { return before_ + seconds_of(Clock::now() - start_); }

private:
  double before_;
  Clock::time_point start_ = Clock::now();
};

// The time at which work must stop.
class Deadline {
public:
  // `seconds` from now; at most a century, which is as good as never.
  explicit Deadline(double seconds)
      : end_(Clock::now() +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds, 3e9)))) {}
  bool passed() const { return Clock::now() >= end_; }
  double left() const { return seconds_of(end_ - Clock::now()); }
  Clock::time_point time() const { return end_; }

private:
  Clock::time_point end_;
};

struct TimeLimitExceeded {};

// While it exists, computations of this thread that call check() stop after `seconds`. The code that sets the limit
// catches TimeLimitExceeded and continues without the result. An outer limit stays in force.
class TimeLimit {
public:
  explicit TimeLimit(double seconds);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  // Call in loops: throws TimeLimitExceeded when the time is up. Does nothing without a limit.
  static void check();

private:
  Clock::time_point outer_;
};

} // namespace faultline::base
