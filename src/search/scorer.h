// Runs inputs, scores them by the error that the tape's residues give (tape/residue.h), and keeps the best of each
// suspect as a strategy's candidates. These are then checked for decisions changed by rounding (ExactPaths), which
// residues do not see.
#pragma once

#include "runtime/lift.h"
#include "search/line.h"
#include "search/strategy.h"
#include "tape/replay.h"
#include "tape/residue.h"

#include <optional>

namespace faultline::search {

// The error of a run on the wrong path: exact arithmetic makes a decision (a comparison, a conversion to an integer)
// differently. Residues follow the run's own path, and their error of such a run may be wrong by orders of magnitude.
//
// The exact path is searched among other runs: most paths are taken by some input. A tape is a program without
// branches. The tape of a run with the exact decisions is evaluated on the input in question in high precision
// (tape/replay.h). If all its decisions hold, its outputs are the exact ones. If one fails, the path is known one
// decision further, and a run with this decision is searched. No code runs in high precision, which the oracle does at
// a much higher cost. Paths that no run takes remain unknown.
//
// Replays cost too much for every run of a search, so only its candidates are checked, within an allowance.
class ExactPaths {
public:
  explicit ExactPaths(Quest& quest) : quest_(quest) {}

  // The largest relative error of the outputs, as in tape::EstimatedError, if a decision of this run was wrong and the
  // exact path was found.
  std::optional<double> error(const exec::Input& input);

private:
  using Path = std::vector<runtime::Decision>;
  struct KnownPath {
    exec::Input input;
    Path path;
  };

  // An input whose run begins with these decisions; null if none is found. The run of `start` agrees with all of them
  // except the last.
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
  std::vector<KnownPath> known_; // one per path
  Path last_;                    // of the last probe
  uint64_t cost_ = 0;            // so far, in records
  uint64_t probes_ = 0;
};

class Scorer {
public:
  Scorer(Quest& quest, const char* strategy) : quest_(quest), exact_paths_(quest), strategy_(strategy) {}

  // The tape of a run and its score, which is 0 if the run did not return.
  struct Scored {
    tape::Tape tape;
    bool usable;
    tape::EstimatedError error;
  };
  Scored score(const exec::Input& input);

  // Runs the input without scoring it.
  tape::Tape run(const exec::Input& input) { return quest_.evaluator.run(input); }
  bool usable() const { return quest_.evaluator.usable(); }
  bool spent() const { return quest_.evaluator.spent() || quest_.evaluator.records() >= limit_; }
  tape::EstimatedError error(const tape::Tape& tape);

  // Sets a separate budget, in records from now on.
  void limit(uint64_t records) { limit_ = quest_.evaluator.records() + records; }
  // The number of further evaluations at the average cost so far.
  uint64_t affordable() const;

  void keep(const exec::Input& input, uint32_t site, double error);

  // Adds a candidate whatever its error: the end of a range of errors, for example.
  void insist(const exec::Input& input, uint32_t site, double error);

  // The largest errors first, and those that exceed a claim most; only a few per site unless there is room.
  std::vector<Candidate> best(size_t most, size_t most_of_a_site);
  std::vector<Candidate> best_so_far(size_t most) const;
  double largest() const { return largest_; }

private:
  void correct_errors(std::vector<Candidate>& candidates);

  Quest& quest_;
  ExactPaths exact_paths_;
  const char* strategy_;
  uint64_t limit_ = ~uint64_t(0);
  tape::Residues residues_;
  std::vector<Candidate> kept_, insisted_;
  std::vector<Candidate> over_claim_; // scored by the ratio to the claim
  double largest_ = 0;
};

} // namespace faultline::search
