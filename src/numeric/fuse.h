// The clock's part in long computations. Work is counted, so that the same question has the same answer on every
// machine; what takes much longer than the count foresaw (thousands of logarithms with 4,096 bits) is broken off by a
// fuse: whoever sets it catches BlownFuse, and does without the answer.
#pragma once

#include <chrono>

namespace faultline::numeric {

struct BlownFuse {};

// While it lives, computations of this thread that look at the fuse end after so many seconds. An outer fuse that blows
// before goes on to hold.
class Fuse {
public:
  explicit Fuse(double seconds);
  ~Fuse();
  Fuse(const Fuse&) = delete;
  Fuse& operator=(const Fuse&) = delete;

  // For loops: throws BlownFuse when the time is up. Without a fuse it never is.
  static void check();

private:
  std::chrono::steady_clock::time_point outer_;
};

} // namespace faultline::numeric
