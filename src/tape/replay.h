// Reader: the operations of a tape carried out again at any precision, on the path that the run took. The cheap
// high-precision run (FpDebug, LSGA): no code runs, but a branch that should have gone the other way is not seen, other
// than in `flips`.
//
// The tape is a program without branches, so it can be carried out on other inputs too: where no decision flips, its
// values are those of the code on these inputs, in exact arithmetic.
#pragma once

#include "numeric/bigfloat.h"
#include "ops/error_bound.h"
#include "tape/tape.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace faultline::tape {

struct Replay {
  std::vector<numeric::BigFloat> values;  // one a record; entry 0 and comparisons hold 0
  std::vector<ops::ErrorExponent> errors; // of the values
  std::vector<uint32_t> flips;  // comparisons and conversions to integers that high precision decides differently
  std::vector<int64_t> decided; // how, each of them
};

// What exact arithmetic keeps of the run, by record: the rounding to the format, or the choice between two neighbours
// where the exact operand lies at the border between them.
enum class Keep : uint8_t { nothing, rounding, choice };

// Looks at the time limit (base/clock.h). `inputs`: instead of the run's. `keep`: one a record, or none at all.
Replay replay(const Tape& tape, long precision, std::span<const long double> inputs = {},
              std::span<const Keep> keep = {});

// The values as doubles, for readers that take such.
std::vector<double> rounded(const Replay& replay);

// Reader: the operations of a tape carried out at one fixed high precision, again and again: a search asks for the
// exact result of every run. tape/replay.h does the same once and allocates; here all memory is kept. Values carry the
// bounds of ops/error_bound.h: a pivot that should be zero is noise at any precision, and what is divided by it, too.
class Exact {
public:
  explicit Exact(long precision);

  // Carries out the records that the judged outputs and the decisions depend on. What was read before is forgotten.
  // Looks at the time limit (base/clock.h).
  void read(const Tape& tape, const std::vector<size_t>& outputs);

  // Would exact arithmetic take another path? Then the values are those of the run's own path.
  bool flips() const { return flips_; }
  // What it took, in operations of ordinary cost.
  uint64_t work() const { return work_; }
  // Is there a decision that this precision cannot make?
  bool doubtful() const { return doubtful_; }
  mpfr_srcptr value(uint32_t record) const { return &values_[record]; }
  ops::ErrorExponent error(uint32_t record) const { return errors_[record]; }
  // The values, rounded, for readers that take such (tape/adjoint.h). Of records that nothing depends on: the run's.
  const std::vector<double>& rounded(const Tape& tape);

private:
  void reserve(const Tape& tape);
  static void set(mpfr_ptr value, const Tape& tape, uint32_t index);
  ops::Operand operand(const Tape& tape, uint32_t index, int which) const;
  void evaluate(const Tape& tape, uint32_t index);
  void decide(const Tape& tape, uint32_t index);

  long precision_;
  std::vector<mp_limb_t> limbs_;
  std::vector<__mpfr_struct> values_;
  std::vector<numeric::BigFloat> constants_;
  std::vector<ops::ErrorExponent> errors_;
  std::vector<uint8_t> needed_;
  std::vector<double> rounded_;
  numeric::BigFloat decided_, nothing_;
  bool flips_ = false, doubtful_ = false;
  uint64_t work_ = 0;
};

// Reader: does a value deviate from what exact arithmetic has at its place?

// To first order, from the roundings of the operations that the record depends on: 1/x - 1/x does not deviate, whatever
// x is. A record that depends on more than `most` operations does: hardly a computation of that length is exact.
bool deviates(const Tape& tape, uint32_t record, size_t most = 64);

// Reader: the operations of a tape carried out again in their own formats, with some of the results replaced: what the
// code would have returned, had it computed something differently. Its decisions stay as they were, and so does what
// does not depend on a replaced result.

// A result to take instead of the operation's, for a record, given the new values of the records before it.
using Replacement = std::function<std::optional<long double>(uint32_t record, std::span<const long double> values)>;

struct Rerun {
  std::vector<long double> values; // one a record
  bool flips = false;              // a decision would be another one now: the code would not have gone this way
  size_t replaced = 0;
};
Rerun rerun(const Tape& tape, const Replacement& replacement);

// An operation in a format, on values of its operands' formats.
long double evaluate(ops::Op op, numeric::Format format, long double a, long double b = 0, long double c = 0);

} // namespace faultline::tape
