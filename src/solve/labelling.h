// Labelling: which domain to split next, where, and which part to look into first.
//
// Boolean terms first, since a disjunction decided narrows more than a number cut in half; then variables, the widest
// first. A domain is cut at its real middle as a rule, which halves what interval arithmetic overestimates, and every
// third time at the middle of its floats, which finds small magnitudes.
#pragma once

#include "solve/propagation.h"

#include <vector>

namespace faultline::solve {

struct Split {
  constraint::Term term = 0;
  Domain first, second; // all of the term's domain, in two parts
};

class Labelling {
public:
  explicit Labelling(const Propagation& propagation, const std::vector<constraint::Model>& near);

  // Nothing if every term that can be split has one value.
  std::optional<Split> next(const Propagation& propagation, const constraint::Model& favoured);

  // Models to try within the domains: their middles, ends, and the values of neighbouring models, in turns.
  constraint::Model candidate(const Propagation& propagation, uint64_t turn) const;

private:
  std::optional<constraint::Term> undecided(const Propagation& propagation) const;
  std::optional<constraint::Term> widest(const Propagation& propagation) const;

  std::vector<constraint::Term> variables_, booleans_;
  std::vector<unsigned> cuts_; // of each term
  const std::vector<constraint::Model>& near_;
};

} // namespace faultline::solve
