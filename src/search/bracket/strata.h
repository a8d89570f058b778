// Integer inputs, held while the floats are searched: each choice of the integers is a stratum of the space. A degree,
// an order or a case selects other code, so failures differ between strata. Brackets also need equal integers at both
// ends.
//
// There are too many strata to search each, but not to run each once or twice. The *scouts* do that with the same
// floats, so that a difference between two runs is due to the integers. They record the features of a stratum: a
// reached site, an output that a site makes, a danger function that changes its sign between two of the points. Strata
// with the same feature are a group, and the search takes the groups in turn, rarest first: one integer in a thousand
// that leads to code or a zero of its own counts as much as all others. Within a group the order is: the stratum with
// the largest error, its ends, then any; in between, neighbours of the best so far.
//
// Rejected: the constants that the code compares integers with. They are not on the tape of a search, and arithmetic
// selections (n & (n - 1), m == n) are not among them.
#pragma once

#include "search/bracket/danger.h"
#include "search/scorer.h"

#include <vector>

namespace faultline::search {

class Strata {
public:
  Strata(Quest& quest, Scorer& scorer, DangerReader& reader);

  // True if there are integers to hold and floats to search.
  bool any() const { return !integers_.empty(); }

  // Runs many choices of the integers, with the floats of each of these points as far as the number allows.
  void scout(const std::vector<exec::Input>& points, uint64_t most_evaluations);

  // Puts the integers of the next stratum to search into the input.
  void hold_next(exec::Input& input);
  // Puts the integers of any stratum into the input; each group is equally likely.
  void hold_any(exec::Input& input);
  // Records the largest error found in the stratum held last.
  void reward(double error);
  size_t groups() const { return groups_.size(); }

private:
  using Integers = std::vector<Value>; // in the order of integers_
  struct Stratum {
    Integers values;
    double error = 0;
  };
  struct Group {
    std::vector<uint32_t> members; // strata_, increasing
    size_t turns = 0;
  };
  using Features = std::vector<uint64_t>;

  std::vector<Integers> choices(size_t most);
  Integers draw(const std::vector<std::vector<Value>>& telling);
  void hold(const Integers& values, exec::Input& input) const;
  bool run(const exec::Input& input, Stratum& stratum, Features& features);
  void note_sites(const tape::Tape& tape, Features& features);
  void note_signs(const tape::Tape& tape, Features& features);
  void form_groups(const std::vector<Features>& seen);
  uint32_t next_of(Group& group);
  Integers beside_best();

  Quest& quest_;
  Scorer& scorer_;
  DangerReader& reader_;
  numeric::Rng rng_;
  std::vector<size_t> integers_; // dimensions
  std::vector<Stratum> strata_;  // the scouted ones
  std::vector<Group> groups_;    // in turns
  std::vector<uint8_t> signs_;   // by spot: signs seen in one stratum
  std::vector<Reading> readings_;
  std::vector<uint64_t> reached_; // by site: the number of the last run that reached it
  uint64_t runs_ = 0;
  size_t turn_ = 0, since_best_ = 0;
  Integers held_, best_;
  double best_error_ = 0;
};

} // namespace faultline::search
