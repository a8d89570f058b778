// What the strategies that are guided by the measured error share: how many inputs to try, and the best of those tried.
#pragma once

#include "search/strategy.h"

namespace faultline::search {

class Trials {
public:
  // As many as the budget allows; if it sets no number, as many as were published.
  Trials(Quest& quest, uint64_t published);

  uint64_t planned() const { return planned_; }
  uint64_t made() const { return made_; }
  bool over() const;

  // The fitness; the input is kept if its error is among the largest.
  double fitness_of(const exec::Input& input);

  // The best inputs that have an error, one for each combination of binades, largest first.
  std::vector<Candidate> best(const char* strategy) const;

private:
  struct Trial {
    double error;
    exec::Input input;
  };

  Quest& quest_;
  tape::Residues residues_;
  uint64_t planned_;
  uint64_t made_ = 0;
  std::vector<Trial> best_; // largest error first
};

} // namespace faultline::search
