// Inputs on which a result is not what the function means.
//
// Searches go for rounding errors; a wrong formula, constant or branch leaves no trace on a tape. So a few hundred
// ordinary inputs are run and compared with the meaning: everyday ones, moderate ones, whole numbers and halves (orders
// and degrees), some of the whole space; and from the worst of them a short climb leads to larger errors nearby.
// Counted, not timed, but for the deadline.
#pragma once

#include "judge/judge.h"

#include <functional>

namespace faultline::judge {

inline constexpr const char* meaning_strategy = "meaning"; // who found the input

class MeaningSearch {
public:
  // `whole`: all inputs that may be tried, `everyday` the everyday part of them.
  MeaningSearch(exec::Session& session, const Judge& judge, const finding::Settings& settings,
                const search::Space& whole, const search::Space& everyday)
      : session_(session), judge_(judge), settings_(settings), whole_(whole), everyday_(everyday) {}

  // Those worth judging, the largest errors first. `over`: is the time up?
  std::vector<exec::Input> inputs(const std::function<bool()>& over);

private:
  struct Trial {
    exec::Input input;
    double error = 0; // relative; capped at 1: nothing is worse than no correct digit
    bool everyday = false;
  };
  std::vector<exec::Input> samples() const;
  Trial run(const exec::Input& input);
  void climb(Trial& from, numeric::Rng& rng, const std::function<bool()>& over);

  exec::Session& session_;
  const Judge& judge_;
  const finding::Settings& settings_;
  const search::Space& whole_;
  const search::Space& everyday_;
};

} // namespace faultline::judge
