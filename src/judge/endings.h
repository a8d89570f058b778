// Runs that did not return: a crash and a time-out, which happen to the code, and what it does by choice: a C++
// exception that leaves the function, an exit, a STOP. The latter are findings of their own kind, one for each type of
// exception and place. What needs a symbol that is not here is no finding.
#pragma once

#include "judge/judge.h"

#include <string>
#include <vector>

namespace faultline::judge {

struct End {
  exec::Outcome outcome = exec::Outcome::aborted;
  exec::Ending ending = {};          // by choice
  const runtime::Mark* at = nullptr; // the session's: the call that ended the run, if it is known

  bool by_choice() const { return outcome == exec::Outcome::threw || outcome == exec::Outcome::exited; }
  // The same type of exception, or exit, at the same place?
  bool is_like(const End& other) const;
};
End end_of(const exec::Run& run);

finding::Finding finding_of(const End& end, const exec::Input& input, const Judge& judge, const std::string& strategy);

// A run that needed what is not here (exec/symbols/missing_symbols.h) says nothing about the code: what to try.
std::string advice_on_missing(const exec::Ending& ending);

// "mtherr was called at ndtri.c:12": why a run is no finding. Empty: the code did not refuse the input.
std::string refusal_words(const exec::Run& run);

} // namespace faultline::judge
