// Makes the diagnosis of a judged run: the results of the layer explain in words and numbers.
#pragma once

#include "explain/cause.h"
#include "explain/remedy.h"
#include "model/finding.h"
#include "model/target.h"
#include "numeric/bigfloat.h"
#include "oracle/judgement.h"
#include "tape/path.h"
#include "tape/replay.h"
#include "tape/tape.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::judge {

// The analysis of a judged run: the value that exact arithmetic gives each record, and for a wrong output the path of
// its error and the operation at fault. Each part is computed on first use. The judge, the diagnosis and explain's rows
// share it.
//
// It does not hold the tape; callers pass one of the same run. Calls of the code are deterministic, so a later run of
// the same input has the same records.
class Analysis {
public:
  explicit Analysis(oracle::Judgement judgement) : judgement_(std::move(judgement)) {}

  const oracle::Judgement& judgement() const { return judgement_; }
  // On the run's own path, at the larger of the oracle's precision and twice the first.
  const tape::Replay& exact(const tape::Tape& tape);
  // The path of the error of the output that this record made, the output first.
  const std::vector<explain::Link>& error_path(const tape::Tape& tape, uint32_t output);
  const explain::Blame& blame(const tape::Tape& tape, uint32_t output);

  // The approximate memory use: values in high precision.
  size_t size() const { return exact_ ? exact_->values.size() : 0; }

private:
  struct ErrorTrace {
    std::vector<explain::Link> path;
    explain::Blame blame;
  };
  const ErrorTrace& traced(const tape::Tape& tape, uint32_t output);

  oracle::Judgement judgement_;
  std::optional<tape::Replay> exact_;
  std::map<uint32_t, ErrorTrace> traced_; // by the output's record
};

// Operations of a run in the usual notation.

// "a - b", "cos(a)".
std::string written(ops::Op op, const std::vector<std::string>& operands);

// The value of an operand or result: the shortest decimal of its format.
std::string value_text(const tape::Tape& tape, uint32_t operand);

// With values: "1 - 0.999999999999995 = 4.996003610813204e-15".
std::string carried_out(const tape::Tape& tape, uint32_t record);

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
  model::Diagnosis diagnosis;
  std::vector<explain::Remedy> remedies = {};
};
DiagnosisWithRemedies diagnose(const tape::Tape& tape, const model::Target& target, Analysis& analysis,
                               const WrongOutput& output);

// Diagnoses the loop that stops too early, with the result of its own tolerance in exact arithmetic.
model::Diagnosis diagnose_truncation(const tape::Tape& tape, const oracle::Truncation& truncation);

// Explains why exact arithmetic takes another path.
model::Diagnosis diagnose_flip(const tape::Tape& tape, const tape::Divergence& flip, Analysis& analysis);

} // namespace faultline::judge
