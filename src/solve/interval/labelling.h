// Labelling: which domain to split next, where, and which part to look into first.
//
// Boolean terms first, since a disjunction decided narrows more than a number cut in half; then variables, the widest
// first. A domain is cut at its real middle as a rule, which halves what interval arithmetic overestimates, and every
// third time at the middle of its floats, which finds small magnitudes. A search that was led astray by that starts
// again in another manner.
#pragma once

#include "numeric/random.h"
#include "solve/interval/propagation.h"

#include <vector>

namespace faultline::solve {

enum class Manner : uint8_t {
  as_a_rule,
  small_first, // numbers of one sign, the smaller magnitudes first
  either_side  // at the middle of the floats, any part first
};
inline constexpr int manners = 3;

struct Split {
  constraint::Term term = 0;
  Domain first, second; // all of the term's domain, in two parts
};

class Labelling {
public:
  Labelling(const Propagation& propagation, const std::vector<constraint::Model>& near, uint64_t seed);

  // Nothing if every term that can be split has one value. As a rule the part that holds the favoured model comes
  // first.
  std::optional<Split> next(const Propagation& propagation, const constraint::Model& favoured, Manner manner);

  // Models to try within the domains: their middles, ends, and the values of neighbouring models, in turns.
  constraint::Model candidate(const Propagation& propagation, uint64_t turn) const;

private:
  std::optional<constraint::Term> undecided(const Propagation& propagation) const;
  std::optional<constraint::Term> widest(const Propagation& propagation) const;
  Split in_halves(constraint::Term term, const Range& numbers, Manner manner);

  std::vector<constraint::Term> variables_, booleans_;
  std::vector<unsigned> cuts_; // of each term
  const std::vector<constraint::Model>& near_;
  numeric::Rng rng_;
};

} // namespace faultline::solve
