// The estimate of a run's error, and the truth to compare it with.
#pragma once

#include "reading.h"

#include "numeric/bigfloat.h"
#include "tape/replay.h"
#include "tape/residue.h"

#include <numeric>

namespace faultline::test {

inline constexpr long precision = 256;

inline std::vector<size_t> all_outputs(const tape::Tape& tape) {
  std::vector<size_t> outputs(tape.outputs().size());
  std::iota(outputs.begin(), outputs.end(), size_t(0));
  return outputs;
}

inline double true_relative(const tape::Tape& tape, size_t output, long digits = precision) {
  const uint32_t record = output_record(tape, output);
  return numeric::relative_error(tape.exact(record), tape::replay(tape, digits).values[record]);
}

inline tape::EstimatedError estimate(const tape::Tape& tape, const std::vector<tape::Claim>& claims = {}) {
  tape::Residues residues;
  return tape::estimated_error(tape, all_outputs(tape), residues, claims);
}

} // namespace faultline::test
