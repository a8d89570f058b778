// Runs that did not return: a crash or a time-out, or a deliberate end by a C++ exception that leaves the function, an
// exit or a STOP. Deliberate ends are findings of their own kind, one for each type of exception and place. A run that
// needs an undefined symbol is not a finding.
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
  exec::Ending ending = {};          // if deliberate
  const runtime::Mark* at = nullptr; // owned by the session: the call that ended the run, if known

  bool by_choice() const { return outcome == exec::Outcome::threw || outcome == exec::Outcome::exited; }
  // True for the same type of exception, or exit, at the same place.
  bool is_like(const End& other) const;
};
End end_of(const exec::Run& run);

finding::Finding finding_of(const End& end, const exec::Input& input, const Judge& judge, const std::string& strategy);

// The advice for a run that needed an undefined symbol (exec/replacements.h), which shows nothing about the code.
std::string advice_on_missing(const exec::Ending& ending);

// "mtherr was called at ndtri.c:12": why a run is not a finding. Empty if the code did not refuse the input.
std::string refusal_words(const exec::Run& run);

// Claims: outputs that bound the error of another output, like GSL's gsl_sf_result.err for .val.

// The outputs that --bound names, or else those that discovery takes for error estimates (a field `err`). A field of a
// struct bounds the struct's judged fields, any other output all judged ones.
std::vector<tape::Claim> claims_of(const frontend::Target& target, const finding::Settings& settings,
                                   const std::vector<size_t>& judged);

// True if --bound names this output.
bool is_named_bound(const frontend::Cell& cell, const finding::Settings& settings);

} // namespace faultline::judge
