// Ariadne's Algorithms 3 and 4, one variable after the other: in some order of the variables, each is given a value for
// which the assertions that can be decided then hold, until the last.
//
// The paper fixes all variables but one blindly, with a check for what is trivially false, and solves for the one. Here
// each variable is solved for in its turn, with the assertions that have no later variable: the same cost, and no value
// is chosen that they exclude. What the assertions with later variables exclude is known by interval propagation over
// the floats, which goes on after each choice. Which values are chosen, and which variable is last, differs from
// attempt to attempt.
#pragma once

#include "numeric/random.h"
#include "solve/interval/propagation.h"
#include "solve/real/budget.h"
#include "solve/real/levels.h"
#include "solve/real/real_set.h"

#include <optional>

namespace faultline::solve {

class Concretisation {
public:
  // `near`: models to begin with, may be empty.
  Concretisation(const constraint::System& system, std::vector<constraint::Model> near, numeric::Rng rng,
                 const Deadline& deadline, Budget& budget);

  // False: propagation has found that there is no model.
  bool consistent() const { return consistent_; }

  // The next attempt: a model of the system, checked, or nothing.
  std::optional<constraint::Model> attempt();
  // More attempts than this would be the same again.
  size_t most_attempts() const;

private:
  std::vector<size_t> order();
  bool dive(const Levels& levels, size_t level);
  bool dive_with(const Levels& levels, size_t level, constraint::Bits bits);
  bool try_values(const Levels& levels, size_t level, const std::vector<constraint::Bits>& values, size_t most);
  std::vector<constraint::Bits> first_choice(const RealSet& set, constraint::Term variable);
  std::vector<constraint::Bits> random_choice(const RealSet& set, constraint::Term variable);
  std::vector<constraint::Bits> spread(const RealSet& set, constraint::Term variable);
  constraint::Bits drawn(constraint::Term variable);
  RealSet frame(constraint::Term variable) const;
  void pay_for_propagation();

  const constraint::System& system_;
  std::vector<constraint::Model> near_;
  numeric::Rng rng_;
  Budget& budget_;
  Propagation propagation_;
  bool consistent_ = false;
  std::vector<size_t> booleans_, floats_;
  std::vector<double> constants_;
  std::vector<constraint::Bits> values_; // of terms
  constraint::Model model_;
  const constraint::Model* base_ = nullptr; // of this attempt
  size_t attempts_ = 0, readings_left_ = 0;
  uint64_t paid_ = 0; // projections
  double spread_ = 0;
};

} // namespace faultline::solve
