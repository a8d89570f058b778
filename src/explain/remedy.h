// What would have helped: standard remedies are tried out on the tape, one after the other, at the operation that is to
// blame and at those that its error passes through next. Those are named that leave a much smaller error than there is.
// Whether they do no harm at other inputs is for whoever can run the code (judge/diagnosis/remedy_trial.h).
#pragma once

#include "explain/chain.h"
#include "explain/change.h"
#include "numeric/bigfloat.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::explain {

struct Remedy {
  std::string name;    // log1p
  std::string advice;  // "write log1p(x) for log(1 + x)"
  uint32_t record = 0; // where
  double relative = 0; // the output's error with it
  Change change = {};
  std::string where = {}; // the condition that the advice has, in its words; empty if there is none
};

// A run with a wrong output, and what is known about its error.
struct FaultyRun {
  const tape::Tape& tape;
  uint32_t output = 0; // the record of the wrong output
  const numeric::BigFloat& reference;
  const std::vector<Link>& path; // of its error (explain/chain.h)
  uint32_t guilty = 0;
  const std::vector<std::string>& inputs; // their names
  bool may_be_wider = true;               // is a wider format worth trying?
};

// The best first: the smallest error, and of those that are as good the simplest. A wider format comes last, as it is
// no better code.
std::vector<Remedy> find_remedies(const FaultyRun& run);

} // namespace faultline::explain
