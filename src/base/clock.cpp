#include "base/clock.h"

namespace faultline::base {
namespace {

thread_local Clock::time_point end = Clock::time_point::max();

} // namespace

TimeLimit::TimeLimit(double seconds) : outer_(end) { end = std::min(end, Deadline(seconds).time()); }

TimeLimit::~TimeLimit() { end = outer_; }

void TimeLimit::check() {
  if (end != Clock::time_point::max() && Clock::now() > end)
    throw TimeLimitExceeded();
}

} // namespace faultline::base
