// Steps towards an exception, from the nearest known input. All inputs together and each alone move by steps in the
// order of floats, so that a large step changes exponents and a small one bits. A step is kept if the goal comes
// nearer. Where a goal lies at a zero and both sides of it are known, bisection between the two comes first.
#pragma once

#include "goal/exception.h"
#include "search/evaluator.h"
#include "search/space.h"

#include <array>
#include <span>
#include <vector>

namespace faultline::search {

// Records the exceptions seen at each place, and the nearest runs for those not seen.
//
// A goal is a place and a kind. A place is an operation at a source location: copies made by inlining and unrolling are
// one place. For each open goal the board keeps the nearest input, and for goals at a zero (a divisor, the end of a
// domain) the nearest input on either side.
class ExceptionBoard {
public:
  struct Nearest {
    double distance = 0;
    exec::Input input = {}; // empty: none
    uint32_t execution = 0; // of the site in that run, from 1
    uint32_t site = 0;
  };
  struct Goal {
    uint32_t place = 0;
    ops::Exception kind = ops::Exception::none;
    bool seen = false;
    exec::Input unconfirmed = {}; // of a run that was cut short: it may not count
    bool crossing = false;        // it lies where a number is zero
    std::array<Nearest, 2> sides;
    double least = 0, most = 0; // distances of the runs
    uint32_t unwanted = 0;      // times it was raised by an operation whose result was not used

    bool reached() const { return !sides[0].input.empty() || !sides[1].input.empty(); }
    const Nearest& nearest() const;
  };

  explicit ExceptionBoard(const runtime::SiteTable& table);

  // Adds a run, whatever its end. True if it showed something new: a place or an exception. A run that was cut short
  // (it outgrew the tape) shows the places it reached. The exceptions it raised are only hints, since its end is
  // unknown.
  bool watch(const exec::Input& input, const exec::Run& run, const tape::Tape& tape);

  std::vector<Goal>& goals() { return goals_; }
  const std::vector<Goal>& goals() const { return goals_; }
  uint32_t place_of(uint32_t site) const { return place_of_[site]; } // 0: none
  size_t seen() const { return seen_; }
  size_t places_reached() const { return places_reached_; }
  size_t places() const { return places_.size(); }

  // Inputs of runs that were cut short after they raised something that no whole run raised, most exceptions first.
  std::vector<exec::Input> unconfirmed_inputs() const;

  // The only trigger of a goal at a zero.
  const goal::Trigger& trigger(size_t goal) const { return triggers_[goal].front(); }
  // The smallest distance over the executions of its place; infinity if the run does not reach it.
  double distance(const Goal& goal, const tape::Tape& tape) const;

private:
  struct Place {
    bool reached = false,
         clean = false; // clean: reached by a run without infinities and NaNs, whose path can be followed
    uint32_t first_goal = 0, goals = 0, open = 0;
    uint32_t tiny_looks = 0;
  };
  void note_exceptions(const exec::Input& input, const tape::Tape& tape, bool whole);
  void note_distances(const exec::Input& input, const tape::Tape& tape, bool whole);
  void note_clean_places(const tape::Tape& tape);
  void consider(Goal& goal, const exec::Input& input, const tape::Tape& tape, uint32_t record, bool whole);

  std::vector<uint32_t> place_of_;                   // by site; 0: none
  std::vector<std::vector<goal::Trigger>> triggers_; // by goal
  std::vector<Place> places_;                        // place 0 is none
  std::vector<Goal> goals_;
  std::vector<uint32_t> executions_; // by site, in the current run
  std::vector<uint32_t> touched_;
  size_t seen_ = 0, unconfirmed_ = 0, places_reached_ = 0, reached_cleanly_ = 0;
};

class ExceptionDescent {
public:
  // The board watches every run of the evaluator.
  ExceptionDescent(Evaluator& evaluator, const Space& space, ExceptionBoard& board);

  // The goal may have been seen afterwards.
  void descend(size_t goal, uint64_t most_runs);
  // Does nothing unless both sides are known.
  void bisect(size_t goal, uint64_t most_runs);

private:
  bool done(size_t goal) const { return board_.goals()[goal].seen || evaluator_.spent(); }
  bool walk(size_t goal, std::span<const size_t> dimensions, uint64_t end);
  exec::Input stepped(std::span<const size_t> dimensions, numeric::Int128 step) const;
  double try_input(size_t goal, const exec::Input& input);
  void look_around(size_t goal, const exec::Input& centre, uint64_t end);

  Evaluator& evaluator_;
  const Space& space_;
  ExceptionBoard& board_;
  std::vector<size_t> floats_; // inputs that are free
  exec::Input best_;
  double left_ = 0;
};

// Promising values, for searches that explore the whole program rather than one place: floats of all exponents,
// ordinary magnitudes, small integers and halves, the program's constants and their neighbours, and the ends of the
// format with their roots and logarithms, where products and exponentials leave it. Inputs are drawn from it
// independently, or tied to each other: equal, opposite, nearly equal, of the same magnitude.
class ValuePool {
public:
  ValuePool(const Space& space, const runtime::SiteTable& table);

  exec::Input draw(numeric::Rng& rng) const;
  // Changes one input or a few of them.
  exec::Input mutate(const exec::Input& input, numeric::Rng& rng) const;

  Value draw(size_t dimension, numeric::Rng& rng) const;
  size_t free() const { return free_.size(); } // inputs that are not held

private:
  Value draw(size_t dimension, uint64_t kind, numeric::Rng& rng) const;
  Value any_value(const Dimension& dimension, uint64_t kind, numeric::Rng& rng) const;
  Value tied(const exec::Input& input, size_t dimension, numeric::Rng& rng) const;
  Value changed(const exec::Input& input, size_t dimension, numeric::Rng& rng) const;

  const Space& space_;
  std::vector<Value> constants_;
  std::vector<size_t> free_;
};

} // namespace faultline::search
