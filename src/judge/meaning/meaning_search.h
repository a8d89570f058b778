// Inputs at which a result differs from the function's meaning.
//
// Searches look for rounding errors; a wrong formula, constant or branch leaves no trace on a tape. So a few hundred
// ordinary inputs are run and compared with the meaning: everyday ones, moderate ones, integers and halves (orders and
// degrees), some from the whole space. A short climb from the worst of them leads to larger errors nearby. The effort
// is counted, not timed, except for the deadline.
#pragma once

#include "judge/judge.h"

#include <functional>

namespace faultline::judge {

inline constexpr const char* meaning_strategy = "meaning"; // the means that found the input

class MeaningSearch {
public:
  // `whole`: all inputs that may be tried, `everyday` the everyday part of them.
  MeaningSearch(exec::Session& session, const Judge& judge, const model::Settings& settings, const search::Space& whole,
                const search::Space& everyday)
      : session_(session), judge_(judge), settings_(settings), whole_(whole), everyday_(everyday) {}

  // The inputs worth judging, the largest errors first. `over`: true when the time is up.
  std::vector<exec::Input> inputs(const std::function<bool()>& over);

private:
  struct Trial {
    exec::Input input;
    double error = 0; // relative; at most 1, which means no correct digit
    bool everyday = false;
  };
  std::vector<exec::Input> samples() const;
  Trial run(const exec::Input& input);
  void climb(Trial& from, numeric::Rng& rng, const std::function<bool()>& over);

  exec::Session& session_;
  const Judge& judge_;
  const model::Settings& settings_;
  const search::Space& whole_;
  const search::Space& everyday_;
};

} // namespace faultline::judge
