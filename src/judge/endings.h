// Runs that did not return: a crash or a time-out, or a deliberate end by a C++ exception that leaves the function, an
// exit or a STOP. Deliberate ends are findings of their own kind, one for each type of exception and place. A run that
// needs an undefined symbol is not a finding.
#pragma once

#include "exec/session.h"
#include "judge/judge.h"
#include "model/settings/settings.h"
#include "model/target.h"
#include "tape/residue.h"

#include <optional>
#include <string>
#include <string_view>
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

model::Finding finding_of(const End& end, const exec::Input& input, const Judge& judge, const std::string& strategy);

// The advice for a run that needed an undefined symbol (exec/replacements.h), which shows nothing about the code.
std::string advice_on_missing(const exec::Ending& ending);

// "mtherr was called at ndtri.c:12": why a run is not a finding. Empty if the code did not refuse the input.
std::string refusal_words(const exec::Run& run);

// Claims: outputs that bound the error of another output, like GSL's gsl_sf_result.err for .val.

// The outputs that --bound names, or else those that discovery takes for error estimates (a field `err`). A field of a
// struct bounds the struct's judged fields, any other output all judged ones.
std::vector<tape::Claim> claims_of(const model::Target& target, const model::Settings& settings,
                                   const std::vector<size_t>& judged);

// True if --bound names this output.
bool is_named_bound(const model::Cell& cell, const model::Settings& settings);

// Whether a run reports an error to its caller. It may call a handler (--reject), return a status (--status NAME=0),
// set errno, or not return at all: abort, exit, throw. Otherwise all its exceptions are silent.
//
// libm itself sets errno (exp of 1000: ERANGE). That is no report unless the code uses errno: callers do not expect it.
class CallerNotice {
public:
  CallerNotice(const model::Target& target, const model::Settings& settings);

  // rejected, status, errno, abort, exit, exception; empty if nothing is reported.
  std::string_view by(const exec::Run& run) const;
  // The same as a part of a sentence: "return = 1", "errno is ERANGE". Empty if nothing is reported, and for a run that
  // does not return and called no handler.
  std::string words(const exec::Run& run) const;

private:
  bool by_status(const exec::Run& run) const;
  bool by_errno(const exec::Run& run) const;

  const model::Target& target_;
  std::optional<size_t> status_; // index of the output
  numeric::Value success_ = 0;
};

// True for runs whose tape is examined for exceptions: those that ended in any way the code chose. A crash by a signal
// or a time-out is a separate finding, and its flags are lost.
constexpr bool ended_by_choice(exec::Outcome outcome) {
  return outcome == exec::Outcome::returned || outcome == exec::Outcome::aborted || outcome == exec::Outcome::exited ||
         outcome == exec::Outcome::threw;
}

// Suggests --status for an integer that is returned together with a float through a pointer. It usually is a status,
// but a wrong guess would hide exceptions. Empty if there is no such integer.
std::string status_hint(const model::Target& target, const model::Settings& settings);

} // namespace faultline::judge
