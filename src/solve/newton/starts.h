// Where searches begin, in order: what the caller knows, zeros, ones, the middles and ends of the box, then mixtures in
// which each variable is drawn from its range uniformly, by exponent, from the constants of the system, from small
// integers, or as another variable.
#pragma once

#include "numeric/random.h"
#include "solve/newton/box.h"

namespace faultline::solve {

class Starts {
public:
  Starts(const constraint::System& system, const Box& box, std::vector<constraint::Model> near, numeric::Rng rng);

  constraint::Model next();

  // A value for one variable, drawn as for a mixture.
  constraint::Bits drawn(size_t variable);

private:
  constraint::Model everywhere(double value) const;
  constraint::Bits uniform(const Range& range);
  constraint::Bits by_exponent(const Range& range);

  const Box& box_;
  std::vector<constraint::Model> near_;
  std::vector<double> constants_;
  numeric::Rng rng_;
  size_t count_ = 0;
};

} // namespace faultline::solve
