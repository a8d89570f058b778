// How much work Arb may do for one question. Some functions take hours at extreme arguments, and Arb cannot be asked to
// stop; but it asks for memory again and again while it works, and there it is stopped, by a C++ exception that passes
// through its frames. What it held is lost: memory leaks, so there is a limit on how often that may happen.
//
// Work is counted in allocations and bytes, not in seconds, so that the same question has the same answer on every
// machine; the clock ends what takes longer than the count foresaw.
#pragma once

#include <cstdint>

namespace faultline::numeric {

struct OutOfBallBudget {
  bool by_clock = false;
};

class BallBudget {
public:
  // Within this scope, and this thread. At more than 2 limbs Arb allocates for each number, so precisions should be
  // above 128 bits. Throws OutOfBallBudget at once if too many questions were broken off before.
  explicit BallBudget(uint64_t work, double seconds);
  ~BallBudget();
  BallBudget(const BallBudget&) = delete;
  BallBudget& operator=(const BallBudget&) = delete;

  uint64_t spent() const; // of the work
};

// To be called where OutOfBallBudget is caught, when the scope has ended: Arb's caches may hold what was half done.
void forget_broken_off_work();

} // namespace faultline::numeric
