// Steps that rounding takes the other way: a comparison, a conversion or a rounding to an integer whose operand is so
// close to the jump that exact arithmetic is on the other side. The result then belongs to another piece of the
// function and may be completely wrong.
//
// A step that is taken often, over a wide range or in a loop, has thousands of jumps, and rounding does no harm at most
// of them. Bisecting one from afar takes fifty runs. Here a jump takes eight: from any point a Newton step along the
// adjoint leads to the nearest jump, and a few floats around it are tried to find the two neighbours between which the
// step changes. That is enough: if exact arithmetic takes the step differently anywhere nearby, it does so at one of
// these two, and the residues show it (tape/residue.h). The neighbour on the other side gives the error: the exact
// result is about what the code returns there. No oracle is needed.
//
// Steps at which the function does not break are dropped after a few tries: most code joins its pieces.
#pragma once

#include "search/line.h"
#include "search/scorer.h"

#include <functional>
#include <optional>

namespace faultline::search {

class Flips {
public:
  Flips(Quest& quest, Scorer& scorer);

  // Searches from points that `point` makes. The scorer gets the results.
  void seek(const std::function<exec::Input()>& point, uint64_t most_evaluations);

private:
  // The step to flip: an execution of a site. Unlike a Spot, it may have any number.
  struct StepExecution {
    uint32_t site = 0, execution = 0;
  };
  // One side of a jump.
  struct Side {
    Value outcome = 0;
    bool falls = false; // exact arithmetic takes the step differently
    std::vector<Value> outputs;
  };
  struct SideAt {
    numeric::Int128 position;
    Side side;
  };
  struct Jump {
    numeric::Int128 position; // of the left neighbour
    Side left, right;
  };
  struct SiteHistory {
    uint32_t tries = 0, fruitless = 0, found = 0;
    bool breaks = false; // the function breaks at a jump of this site
  };

  uint32_t choose(const tape::Tape& tape);
  bool open(uint32_t site) const;
  uint32_t turn_of(uint32_t site) const;
  void count_fruitless(SiteHistory& history);
  // Follows a jump of this step near the point.
  void follow(exec::Input point, const tape::Tape& tape, uint32_t record);
  std::optional<Line> approach(exec::Input& point, tape::Tape tape, uint32_t record, StepExecution step);
  std::optional<Jump> cross(const Line& line, numeric::Int128 at, StepExecution step);
  bool narrow(const Line& line, SideAt& one, SideAt& other, StepExecution step);
  std::optional<Side> look(const Line& line, numeric::Int128 position, StepExecution step);
  bool breaks(const Line& line, const Jump& jump, StepExecution step);
  void weigh(const Line& line, const Jump& jump, StepExecution step);
  double difference(const Side& computed, const Side& exact) const;
  bool spent() const { return scorer_.spent() || quest_.evaluator.evaluations() >= end_; }

  Quest& quest_;
  Scorer& scorer_;
  numeric::Rng rng_; // separate, so that later searches do not depend on this one
  tape::Residues residues_;
  std::vector<SiteHistory> histories_; // by site
  uint64_t end_ = 0;
  size_t found_ = 0;
  uint32_t fruitless_ = 0; // tries at sites that have not broken
  bool any_breaks_ = false;
  exec::Input input_;
};

} // namespace faultline::search
