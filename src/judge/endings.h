// Runs that did not return: a crash and a time-out, which happen to the code, and what it does by choice: a C++
// exception that leaves the function, an exit, a STOP. The latter are findings of their own kind, one for each type of
// exception and place. What needs a symbol that is not here is no finding.
#pragma once

#include "finding/settings/settings.h"
#include "frontend/target.h"
#include "judge/judge.h"
#include "tape/residue.h"

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

// A run that needed what is not here (exec/replacements.h) says nothing about the code: what to try.
std::string advice_on_missing(const exec::Ending& ending);

// "mtherr was called at ndtri.c:12": why a run is no finding. Empty: the code did not refuse the input.
std::string refusal_words(const exec::Run& run);

// Claims: outputs that say how large the error of another output is at most, as GSL's gsl_sf_result.err does of .val.

// The ones that --bound names, or else the outputs that discovery takes for error estimates (a field `err`). A field of
// a struct speaks of the struct's judged fields, any other output of all that are judged.
std::vector<tape::Claim> claims_of(const frontend::Target& target, const finding::Settings& settings,
                                   const std::vector<size_t>& judged);

// Does --bound name this output?
bool is_named_bound(const frontend::Cell& cell, const finding::Settings& settings);

} // namespace faultline::judge
