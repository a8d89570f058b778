// The one clock. Work is counted, so that the same question has the same answer on every machine; the clock ends what
// takes much longer than the count foresaw.
#pragma once

#include <algorithm>
#include <chrono>

namespace faultline::base {

using Clock = std::chrono::steady_clock;

inline double seconds_of(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

// Seconds since it was made, and those that had passed before.
class Stopwatch {
public:
  explicit Stopwatch(double before = 0) : before_(before) {}
  double seconds() const { return before_ + seconds_of(Clock::now() - start_); }

private:
  double before_;
  Clock::time_point start_ = Clock::now();
};

// When work has to stop.
class Deadline {
public:
  // So many seconds from now; at most a century, which is as good as never.
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

// While it lives, computations of this thread that look at the limit end after so many seconds: the code that sets it
// catches TimeLimitExceeded, and does without the answer. An outer limit goes on to hold.
class TimeLimit {
public:
  explicit TimeLimit(double seconds);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  // For loops: throws TimeLimitExceeded when the time is up. Without a limit it never is.
  static void check();

private:
  Clock::time_point outer_;
};

} // namespace faultline::base
