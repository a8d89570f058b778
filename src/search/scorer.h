// Runs inputs and scores them by the error that the tape's residues tell (tape/residue.h), keeping the best of each
// suspect: what a strategy hands over as candidates. These are looked at twice, for decisions that rounding made
// (search/exact_path.h), which residues do not see.
#pragma once

#include "search/exact_path.h"
#include "search/strategy.h"
#include "tape/residue.h"

namespace faultline::search {

class Scorer {
public:
  Scorer(Quest& quest, const char* strategy) : quest_(quest), exact_paths_(quest), strategy_(strategy) {}

  // The tape of the run, and its score: 0 if it did not return.
  struct Scored {
    tape::Tape tape;
    bool usable;
    tape::EstimatedError error;
  };
  Scored score(const exec::Input& input);

  // Without a score.
  tape::Tape run(const exec::Input& input) { return quest_.evaluator.run(input); }
  bool usable() const { return quest_.evaluator.usable(); }
  bool spent() const { return quest_.evaluator.spent() || quest_.evaluator.records() >= limit_; }
  tape::EstimatedError error(const tape::Tape& tape);

  // A budget of its own, in records from now on.
  void limit(uint64_t records) { limit_ = quest_.evaluator.records() + records; }
  // How many more evaluations it may make, if they go on to cost what they did so far.
  uint64_t affordable() const;

  void keep(const exec::Input& input, uint32_t site, double error);

  // One that belongs among the candidates whatever its error's size: the end of a range of errors, say.
  void insist(const exec::Input& input, uint32_t site, double error);

  // Largest error first, and what exceeds a claim most; not more than a few of one site, unless there is room.
  std::vector<Candidate> best(size_t most, size_t most_of_a_site);
  std::vector<Candidate> best_so_far(size_t most) const;
  double largest() const { return largest_; }

private:
  void look_twice(std::vector<Candidate>& candidates);

  Quest& quest_;
  ExactPaths exact_paths_;
  const char* strategy_;
  uint64_t limit_ = ~uint64_t(0);
  tape::Residues residues_;
  std::vector<Candidate> kept_, insisted_;
  std::vector<Candidate> over_claim_; // a score of their own: how many times the claim
  double largest_ = 0;
};

} // namespace faultline::search
