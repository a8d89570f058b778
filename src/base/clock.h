// The one clock: seconds that pass, whatever the time of day does.
#pragma once

#include <algorithm>
#include <chrono>

namespace faultline::base {

using Clock = std::chrono::steady_clock;

inline double seconds_of(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

// Seconds since it was made.
class Stopwatch {
public:
  double seconds() const { return seconds_of(Clock::now() - start_); }

private:
  Clock::time_point start_ = Clock::now();
};

// When work has to stop.
class Deadline {
public:
  // More seconds than a clock can count are a thousand years.
  explicit Deadline(double seconds)
      : end_(Clock::now() +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds, 3e9)))) {}
  bool passed() const { return Clock::now() >= end_; }
  double left() const { return seconds_of(end_ - Clock::now()); }

private:
  Clock::time_point end_;
};

} // namespace faultline::base
