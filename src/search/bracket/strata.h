// Integers beside floats, held while the floats are searched: each choice of the integers is a stratum of the space.
// A degree, an order or a case selects other code, so what can go wrong differs from stratum to stratum; and brackets
// need the integers to be the same at both ends.
//
// There are too many strata to search each, but not to run each once or twice: the *scouts* do that, all with the same
// floats, so that what differs between two runs is the integers' doing. What they see of a stratum are its features: a
// site that is reached, an output that a site makes, a danger function that changes its sign from one of the points to
// another. Strata with the same feature are a group, and the search takes the groups in turn, rarest first: one integer
// in a thousand that leads to code of its own, or to a zero of its own, counts as much as the others together. Within a
// group the stratum with the largest error goes first, then its ends, then any; and in between, neighbours of the best
// so far.
//
// Rejected: the constants that the code compares integers with. They are not on the tape of a search, and what a
// comparison selects by arithmetic (n & (n - 1), m == n) is not among them.
#pragma once

#include "search/bracket/danger.h"
#include "search/scorer.h"

#include <vector>

namespace faultline::search {

class Strata {
public:
  Strata(Quest& quest, Scorer& scorer, DangerReader& reader);

  // Is there anything to hold, and anything to search beside it?
  bool any() const { return !integers_.empty(); }

  // Runs many choices of the integers, beside the floats of each of these points as far as the number allows.
  void scout(const std::vector<exec::Input>& points, uint64_t most_evaluations);

  // The integers of the next stratum to search are put into this input.
  void hold_next(exec::Input& input);
  // Those of any stratum, each group as likely as any other.
  void hold_any(exec::Input& input);
  // What the stratum that was held last has come to.
  void reward(double error);
  size_t groups() const { return groups_.size(); }

private:
  using Integers = std::vector<long double>; // in the order of integers_
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
  Integers draw(const std::vector<std::vector<long double>>& telling);
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
  std::vector<Stratum> strata_;  // that were scouted
  std::vector<Group> groups_;    // in turns
  std::vector<uint8_t> signs_;   // by spot: those that were seen in one stratum
  std::vector<Reading> readings_;
  std::vector<uint64_t> reached_; // by site: the number of the last run that did
  uint64_t runs_ = 0;
  size_t turn_ = 0, since_best_ = 0;
  Integers held_, best_;
  double best_error_ = 0;
};

} // namespace faultline::search
