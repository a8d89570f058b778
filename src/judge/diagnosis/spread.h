// Measures how much the exact result changes if the inputs and the inexact constants of the code are rounded. No code
// that receives rounded inputs is better than that. Derivatives along the run's path (explain/conditioning.h) cost
// less, but do not apply where exact arithmetic takes another path, where the result jumps, or at an extremum.
#pragma once

#include "exec/session.h"
#include "numeric/format.h"
#include "oracle/judgement.h"
#include "search/space.h"
#include "tape/tape.h"

#include <cstdint>
#include <optional>

namespace faultline::judge {

// True for a constant that stands for a real number: its shortest decimal needs more digits than any decimal is sure
// to keep in the format, and it uses the last bits of the format. M_PI is one; 0.1 and 0x1p-52 are exact.
bool stands_for_real(numeric::Value value, numeric::Format format);

// True if this many of the last bits of the value are zero.
bool ends_in_zeros(numeric::Value value, numeric::Format format, int bits);

// A constant that uses nearly all bits of its format was rounded to it; 1, 0.5 and 0.9375 are exact. The last eight of
// random bits are zero once in 256 times.
bool is_rounded(numeric::Value value, numeric::Format format);

// The run whose error is compared with the spread.
struct MeasuredRun {
  const exec::Input& input;
  const tape::Tape& tape;
  const oracle::OutputJudgement& output;
  long precision = 0;                                // of the oracle's answer
  bool jumps = false;                                // exact arithmetic makes another decision
  std::vector<std::vector<size_t>> of_one_unit = {}; // inputs that are rounded to the largest one's precision
};

// True if the error is at most a few times the spread: the change of the exact result if each input that is not 0 and
// each inexact constant on the tape moves by half an ulp. They move all together, with signs from the seed, and one by
// one if there are few. If that does not explain the error, inputs of one unit move by half an ulp of the largest of
// them: points that are 1e9 away from the origin are not known to 1e-8. Nothing if no moved run has a result.
std::optional<bool> is_within_spread(exec::Session& session, const search::Space& space, const MeasuredRun& run,
                                     uint64_t seed);

// Returns the largest relative change of the exact result if each inexact constant on the tape moves by half an ulp. If
// it is large, the result has the digits of the constants, and not those of the numbers that they stand for.
double change_by_constants(exec::Session& session, const search::Space& space, const MeasuredRun& run, uint64_t seed);

} // namespace faultline::judge
