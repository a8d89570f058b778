// A limit on Arb's work for one evaluation. Some functions take hours at extreme arguments, and Arb has no way to stop.
// But it allocates again and again while it works, so its allocator stops it with a C++ exception that passes through
// its frames. The memory held at that point leaks, so the number of such stops is limited.
//
// Work is counted in allocations and bytes, not in seconds, so that results are the same on every machine. The clock
// stops work that takes longer than its count suggests.
#pragma once

#include <cstdint>

namespace faultline::numeric {

struct OutOfBallBudget {
  bool by_clock = false;
};

class BallBudget {
public:
  // Applies to this scope and thread. At more than 2 limbs Arb allocates for each number, so use precisions above 128
  // bits. Throws OutOfBallBudget at once if too many evaluations were stopped before.
  explicit BallBudget(uint64_t work, double seconds);
  ~BallBudget();
  BallBudget(const BallBudget&) = delete;
  BallBudget& operator=(const BallBudget&) = delete;

  uint64_t spent() const; // the work so far
};

// Call this where OutOfBallBudget is caught, after the end of the scope: Arb's caches may hold unfinished results.
void forget_broken_off_work();

} // namespace faultline::numeric
