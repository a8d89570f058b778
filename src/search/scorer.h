// Runs inputs and scores them by the error that the tape's residues tell (tape/residue.h), keeping the best of each
// suspect: what a strategy hands over as candidates. These are looked at twice, for decisions that rounding made
// (search/scorer.h), which residues do not see.
#pragma once

#include "runtime/lift.h"
#include "search/line.h"
#include "search/strategy.h"
#include "tape/replay.h"
#include "tape/residue.h"

#include <optional>

namespace faultline::search {

// The error of a run that took the wrong path: a decision (a comparison, a conversion to an integer) that exact
// arithmetic makes differently. Residues follow the run's own path, and what they say of such a run may be off by
// orders of magnitude.
//
// The exact path is looked for among other runs: most paths are taken by some input. A tape is a program without
// branches; that of a run which decided as exact arithmetic does for the input in question is carried out on this
// input, in high precision (tape/replay.h). If all its decisions stand, its outputs are the exact ones. If one falls,
// the path is known one decision further, and a run with this one is looked for. No code runs in high precision, which
// is what the oracle does, and costs much more; and paths that no run takes stay unknown.
//
// Replays cost too much for every run of a search: this is for what a search hands over, and within an allowance.
class ExactPaths {
public:
  explicit ExactPaths(Quest& quest) : quest_(quest) {}

  // The largest relative error of the outputs, as tape::EstimatedError has it, if a decision of this run was wrong and
  // the exact path was found.
  std::optional<double> error(const exec::Input& input);

private:
  using Path = std::vector<runtime::Decision>;
  struct Known {
    exec::Input input;
    Path path;
  };

  // An input whose run begins with these decisions; null if none is found. `start` is the one whose run agrees with
  // them but for the last.
  const exec::Input* run_along(const Path& wanted, const exec::Input& input, const exec::Input& start);
  bool scatter(const Path& wanted, const exec::Input& input);
  bool cross(const Path& wanted, const Line& line);
  bool learn(const exec::Input& probe, const Path& wanted);
  std::optional<double> measured(const std::vector<exec::OutputValue>& computed, const tape::Tape& tape,
                                 const tape::Replay& replay) const;
  std::optional<tape::Tape> run(const exec::Input& input);
  std::optional<tape::Replay> replayed(const tape::Tape& tape, const exec::Input& input); // if there is time
  bool spent() const;

  Quest& quest_;
  tape::Residues residues_;
  std::vector<Known> known_; // one of each path
  Path last_;                // of the last probe
  uint64_t cost_ = 0;        // so far, in records
  uint64_t probes_ = 0;
};

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
