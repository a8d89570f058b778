// What the solver `real` may spend: the question's effort and its time.
//
// Costs are modelled in nanoseconds of a usual machine, and counted, so that an answer depends on the effort and not on
// the clock. The clock is a second limit, looked at now and then.
#pragma once

#include "solve/solver.h"

namespace faultline::solve {

class Budget {
public:
  Budget(uint64_t effort, const Deadline& deadline)
      : left_(effort > most / an_effort ? most : effort * an_effort), deadline_(deadline) {}

  // False if nothing is left.
  bool spend(uint64_t nanoseconds) {
    left_ = nanoseconds < left_ ? left_ - nanoseconds : 0;
    unseen_ += nanoseconds;
    if (unseen_ > look_every) {
      unseen_ = 0;
      if (deadline_.passed())
        left_ = 0;
    }
    return left_ != 0;
  }
  bool over() const { return left_ == 0; }

private:
  static constexpr uint64_t an_effort = 200; // about as long as one projection
  static constexpr uint64_t most = ~uint64_t(0), look_every = 200'000;

  uint64_t left_, unseen_ = 0;
  const Deadline& deadline_;
};

} // namespace faultline::solve
