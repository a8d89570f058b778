// Does a run tell its caller that something went wrong? It may call a handler (--reject), return a status
// (--status NAME=0), set errno, or not return at all: abort, exit, throw. Otherwise whatever happened in it is silent.
//
// libm sets errno on its own account (exp of 1000: ERANGE). That is a report to those who look, unless there is a
// status: code that has one and says "success" with it has not noticed.
#pragma once

#include "exec/session.h"
#include "finding/settings/settings.h"
#include "frontend/target.h"

#include <optional>
#include <string>
#include <string_view>

namespace faultline::judge {

class CallerNotice {
public:
  CallerNotice(const frontend::Target& target, const finding::Settings& settings);

  // rejected, status, errno, abort, exit, exception; empty if nothing is reported.
  std::string_view by(const exec::Run& run) const;
  // The same as a part of a sentence: "return = 1", "errno is ERANGE, set by libm". Empty if nothing is reported, and
  // for a run that does not return and called no handler.
  std::string words(const exec::Run& run) const;

private:
  bool by_status(const exec::Run& run) const;
  bool by_errno(const exec::Run& run) const;

  const frontend::Target& target_;
  std::optional<size_t> status_; // the output
  long double success_ = 0;
};

// Runs whose tape is looked at for exceptions: those that ended, in whatever way the code chose. A crash by a signal or
// a time-out is a finding of its own, and its flags are lost.
constexpr bool ended_by_choice(exec::Outcome outcome) {
  return outcome == exec::Outcome::returned || outcome == exec::Outcome::aborted || outcome == exec::Outcome::exited ||
         outcome == exec::Outcome::threw;
}

// An integer that is returned beside a float through a pointer is a status more often than not; to guess it would hide
// exceptions, so it is only asked. Empty if there is nothing to ask.
std::string status_hint(const frontend::Target& target, const finding::Settings& settings);

} // namespace faultline::judge
