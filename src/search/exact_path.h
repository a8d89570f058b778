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
#pragma once

#include "runtime/lift.h"
#include "search/line.h"
#include "search/strategy.h"
#include "tape/replay.h"

#include <optional>

namespace faultline::search {

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

} // namespace faultline::search
