// The sentence that says why: what the guilty operation did to which numbers.
#pragma once

#include "explain/fault.h"
#include "oracle/judgement.h"

#include <string>

namespace faultline::judge {

struct Case {
  const tape::Tape& tape;
  const std::vector<explain::Link>& way;
  const explain::Blame& blame;
  const explain::Classified& classified;
  const tape::Replay& exact;
};
std::string why(const Case& facts);

// Of a decision that exact arithmetic makes differently; `exact` reaches at least up to it.
std::string why_flipped(const tape::Tape& tape, uint32_t decision, int64_t exactly, const tape::Replay& exact);

// Of a loop that stops too early.
std::string why_truncated(const tape::Tape& tape, const oracle::Truncation& truncation);

} // namespace faultline::judge
