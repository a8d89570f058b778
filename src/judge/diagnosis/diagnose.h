// Makes the diagnosis of a judged run: the results of the layer explain in words and numbers.
#pragma once

#include "explain/remedy.h"
#include "finding/finding.h"
#include "frontend/target.h"
#include "judge/diagnosis/analysis.h"
#include "numeric/bigfloat.h"
#include "tape/path.h"

namespace faultline::judge {

inline constexpr size_t most_lines = 16; // with a reported share

// An output that is wrong.
struct WrongOutput {
  uint32_t record = 0; // that made the output
  const numeric::BigFloat& reference;
  double relative = 0;   // its error relative to the reference
  bool avoidable = true; // false: a wider format does not help, since the inputs are not known precisely enough
};
// A diagnosis without its remedy, and the remedies that help at this input. A trial chooses among them
// (judge/diagnosis/completion.h).
struct DiagnosisWithRemedies {
  finding::Diagnosis diagnosis;
  std::vector<explain::Remedy> remedies = {};
};
DiagnosisWithRemedies diagnose(const tape::Tape& tape, const frontend::Target& target, Analysis& analysis,
                               const WrongOutput& output);

// Diagnoses the loop that stops too early, with the result of its own tolerance in exact arithmetic.
finding::Diagnosis diagnose_truncation(const tape::Tape& tape, const oracle::Truncation& truncation);

// Explains why exact arithmetic takes another path.
finding::Diagnosis diagnose_flip(const tape::Tape& tape, const tape::Divergence& flip, Analysis& analysis);

} // namespace faultline::judge
