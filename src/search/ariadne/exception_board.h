// Which exceptions were seen where, and how near runs came to those that were not.
//
// A goal is a place and a kind. A place is a location in the source with an operation: copies of it, made by inlining
// and unrolling, are one. For each goal that is still open the board keeps the nearest input, and for goals that lie at
// a zero of something (a divisor, the end of a domain) the nearest input on either side.
#pragma once

#include "goal/exception.h"
#include "search/evaluator.h"

#include <array>
#include <vector>

namespace faultline::search {

class ExceptionBoard {
public:
  struct Nearest {
    double distance = 0;
    exec::Input input = {}; // none: empty
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
    double least = 0, most = 0; // distances that runs had
    uint32_t unwanted = 0;      // times it was raised by an operation whose result was not used

    bool reached() const { return !sides[0].input.empty() || !sides[1].input.empty(); }
    const Nearest& nearest() const;
  };

  explicit ExceptionBoard(const runtime::SiteTable& table);

  // A run, whatever its end. True if it showed something new: a place, or an exception. A run that was cut short (it
  // outgrew the tape) shows where it came to, but what it raised is only a hint: how it ends is not known yet.
  bool watch(const exec::Input& input, const exec::Run& run, const tape::Tape& tape);

  std::vector<Goal>& goals() { return goals_; }
  const std::vector<Goal>& goals() const { return goals_; }
  uint32_t place_of(uint32_t site) const { return place_of_[site]; } // 0: none
  size_t seen() const { return seen_; }
  size_t places_reached() const { return places_reached_; }
  size_t places() const { return places_.size(); }

  // Inputs of runs that were cut short after they raised what no whole run has raised; those that raised most first.
  std::vector<exec::Input> unconfirmed_inputs() const;

  // Of a goal at a zero: the one trigger to it.
  const goal::Trigger& trigger(size_t goal) const { return triggers_[goal].front(); }
  // The least over the executions of its place; infinity if the run does not come to it.
  double distance(const Goal& goal, const tape::Tape& tape) const;

private:
  struct Place {
    bool reached = false,
         clean = false; // clean: by a run that made no infinity and no NaN, whose paths can be followed
    uint32_t first_goal = 0, goals = 0, open = 0;
    uint32_t tiny_looks = 0;
  };
  void note_exceptions(const exec::Input& input, const tape::Tape& tape, bool whole);
  void note_distances(const exec::Input& input, const tape::Tape& tape, bool whole);
  void note_clean_places(const tape::Tape& tape);
  void consider(Goal& goal, const exec::Input& input, const tape::Tape& tape, uint32_t record, bool whole);

  std::vector<uint32_t> place_of_;                   // by site; none: 0
  std::vector<std::vector<goal::Trigger>> triggers_; // by goal
  std::vector<Place> places_;                        // place 0 is nowhere
  std::vector<Goal> goals_;
  std::vector<uint32_t> executions_; // by site, in the run under way
  std::vector<uint32_t> touched_;
  size_t seen_ = 0, unconfirmed_ = 0, places_reached_ = 0, reached_cleanly_ = 0;
};

} // namespace faultline::search
