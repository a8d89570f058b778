// Whether a run reports an error to its caller. It may call a handler (--reject), return a status (--status NAME=0),
// set errno, or not return at all: abort, exit, throw. Otherwise all its exceptions are silent.
//
// libm itself sets errno (exp of 1000: ERANGE). That counts as a report unless there is a status: code that returns
// "success" has not noticed.
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
std::string status_hint(const frontend::Target& target, const finding::Settings& settings);

} // namespace faultline::judge
