// From a judged run to its diagnosis: the analysis of the layer explain, put into words and numbers.
#pragma once

#include "explain/remedy.h"
#include "finding/finding.h"
#include "frontend/target.h"
#include "judge/diagnosis/analysis.h"
#include "numeric/bigfloat.h"
#include "tape/path.h"

namespace faultline::judge {

inline constexpr size_t most_lines = 16; // whose shares are told

// An output that is wrong.
struct WrongOutput {
  uint32_t record = 0; // that made it
  const numeric::BigFloat& reference;
  double relative = 0;   // its error against that
  bool avoidable = true; // else a wider format is no advice: the inputs are not known that well
};
// A diagnosis without its remedy, and those that help at this input: which of them is offered, a trial tells
// (judge/diagnosis/completion.h).
struct Diagnosed {
  finding::Diagnosis diagnosis;
  std::vector<explain::Remedy> remedies = {};
};
Diagnosed diagnose(const tape::Tape& tape, const frontend::Target& target, Analysis& analysis,
                   const WrongOutput& output);

// The loop that stops too early, and what its own tolerance gives in exact arithmetic.
finding::Diagnosis diagnose_truncation(const tape::Tape& tape, const oracle::Truncation& truncation);

// Why exact arithmetic takes another way.
finding::Diagnosis diagnose_flip(const tape::Tape& tape, const tape::Divergence& flip, Analysis& analysis);

} // namespace faultline::judge
