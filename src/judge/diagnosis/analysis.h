// A judged run, taken apart: the value that exact arithmetic gives each record, and of a wrong output the path of its
// error and the operation to blame. Each is computed when it is first asked for, and handed from step to step: the
// judge names the cause by it, the diagnosis is made of it, and explain's rows show it.
//
// It does not hold the tape: whoever asks has one of the same run. Calls of the code are deterministic, so a later run
// of the same input has the same records.
#pragma once

#include "explain/cause.h"
#include "oracle/judgement.h"
#include "tape/replay.h"
#include "tape/tape.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::judge {

class Analysis {
public:
  explicit Analysis(oracle::Judgement judgement) : judgement_(std::move(judgement)) {}

  const oracle::Judgement& judgement() const { return judgement_; }
  // On the run's own path, at the oracle's precision or twice the first, whichever is more.
  const tape::Replay& exact(const tape::Tape& tape);
  // Of the output that this record made, the output first.
  const std::vector<explain::Link>& error_path(const tape::Tape& tape, uint32_t output);
  const explain::Blame& blame(const tape::Tape& tape, uint32_t output);

  // What it takes up in memory, roughly: values in high precision.
  size_t size() const { return exact_ ? exact_->values.size() : 0; }

private:
  struct Traced {
    std::vector<explain::Link> path;
    explain::Blame blame;
  };
  const Traced& traced(const tape::Tape& tape, uint32_t output);

  oracle::Judgement judgement_;
  std::optional<tape::Replay> exact_;
  std::map<uint32_t, Traced> traced_; // by the output's record
};

// Operations of a run as people write them.

// "a - b", "cos(a)".
std::string written(ops::Op op, const std::vector<std::string>& operands);

// The value of an operand or result, shortest decimal of its format.
std::string value_text(const tape::Tape& tape, uint32_t operand);

// With values: "1 - 0.999999999999995 = 4.996003610813204e-15".
std::string carried_out(const tape::Tape& tape, uint32_t record);

} // namespace faultline::judge
