// Orders a system by its variables: level k contains the terms known once the first k variables are known, and the
// assertions that can then be decided. Level 0 needs no variable.
#pragma once

#include "constraint/system.h"
#include "solve/solver.h"

#include <span>
#include <vector>

namespace faultline::solve {

class Levels {
public:
  // `order` contains each variable once.
  Levels(const System& system, std::span<const size_t> order);

  const System& system() const { return system_; }
  size_t count() const { return levels_.size(); }
  size_t level_of(Term term) const { return level_of_[term]; }
  // In evaluation order; only terms that an assertion needs, and the variable, which is first.
  const std::vector<Term>& terms(size_t level) const { return levels_[level].terms; }
  const std::vector<Term>& assertions(size_t level) const { return levels_[level].assertions; }
  size_t variable(size_t level) const { return order_[level - 1]; } // its index in the model
  Term variable_term(size_t level) const { return levels_[level].terms.front(); }

  // Evaluates the terms of one level from the values of earlier levels; `values` has room for all terms.
  void evaluate(size_t level, Bits variable, std::vector<Bits>& values) const;
  bool hold(size_t level, const std::vector<Bits>& values) const;

private:
  struct Level {
    std::vector<Term> terms, assertions;
  };

  const System& system_;
  std::vector<size_t> order_;
  std::vector<uint32_t> level_of_;
  std::vector<Level> levels_;
};

// The budget of the solver `real`: the question's effort and its time.
//
// Costs are nanoseconds on a typical machine according to a model, so that an answer depends on the effort and not on
// the clock. The clock is a second limit, checked occasionally.
class Budget {
public:
  Budget(uint64_t effort, const Deadline& deadline)
      : left_(effort > most / an_effort ? most : effort * an_effort), deadline_(deadline) {}

  // False if the budget is used up.
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
