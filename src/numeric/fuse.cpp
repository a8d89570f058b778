#include "numeric/fuse.h"

#include <algorithm>

namespace faultline::numeric {
namespace {

using Clock = std::chrono::steady_clock;

thread_local Clock::time_point end = Clock::time_point::max();

// As time points do not reach far, so many seconds stand for ever: a year.
constexpr double for_ever = 365.0 * 24 * 3600;

} // namespace

Fuse::Fuse(double seconds) : outer_(end) {
  const std::chrono::duration<double> time(std::clamp(seconds, 0.0, for_ever));
  end = std::min(end, Clock::now() + std::chrono::duration_cast<Clock::duration>(time));
}

Fuse::~Fuse() { end = outer_; }

void Fuse::check() {
  if (end != Clock::time_point::max() && Clock::now() > end)
    throw BlownFuse();
}

} // namespace faultline::numeric
