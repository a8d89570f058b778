// Reader: repeats the operations of a tape at any precision, on the path of the run. This is the cheap high-precision
// run of FpDebug and LSGA: no code is executed, and a branch that should have gone the other way shows only in `flips`.
//
// A tape is a program without branches, so it can be repeated on other inputs too. Where no decision flips, its values
// are those of the code on these inputs in exact arithmetic.
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
  std::vector<numeric::BigFloat> values;  // one per record; 0 for entry 0 and for comparisons
  std::vector<ops::ErrorExponent> errors; // of the values
  std::vector<uint32_t> flips;  // comparisons and conversions to integers that high precision decides differently
  std::vector<int64_t> decided; // the outcome of each flip
};

// What exact arithmetic keeps of a record: its rounding to the format, or the choice between two neighbours where the
// exact operand lies at the border between them.
enum class Keep : uint8_t { nothing, rounding, choice };

// Observes the time limit (base/clock.h). `inputs` replaces the run's inputs. `keep` has one entry per record, or is
// empty.
Replay replay(const Tape& tape, long precision, std::span<const numeric::Value> inputs = {},
              std::span<const Keep> keep = {});

// Returns the values as doubles.
std::vector<double> rounded(const Replay& replay);

// Reader: repeats the operations of one tape after another at one fixed high precision, for a search that needs the
// exact result of every run. Unlike replay(), it keeps its memory. Values carry the error bounds of ops/error_bound.h:
// a pivot that should be zero is noise at any precision, and so are quotients by it.
class Exact {
public:
  explicit Exact(long precision);

  // Evaluates the records that the judged outputs and the decisions depend on. Discards earlier results. Observes the
  // time limit (base/clock.h).
  void read(const Tape& tape, const std::vector<size_t>& outputs);

  // True if exact arithmetic would take another path. The values are then those of the run's path.
  bool flips() const { return flips_; }
  // The cost, in operations of ordinary cost.
  uint64_t work() const { return work_; }
  // True if this precision cannot settle some decision.
  bool doubtful() const { return doubtful_; }
  mpfr_srcptr value(uint32_t record) const { return &values_[record]; }
  ops::ErrorExponent error(uint32_t record) const { return errors_[record]; }
  // Returns the values as doubles (for tape/adjoint.h). Records that nothing depends on keep the run's values.
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

// True if the value differs from that of exact arithmetic, to first order, by the roundings of the operations that the
// record depends on. 1/x - 1/x never deviates. A record that depends on more than `most` operations counts as
// deviating, since computations of that length are hardly ever exact.
bool deviates(const Tape& tape, uint32_t record, size_t most = 64);

// Reader: repeats the operations of a tape in their own formats with some results replaced. This gives what the code
// would have returned if it had computed something differently. Decisions stay as they were, and so do values that
// depend on no replaced result.

// Returns the result to use for a record, if any, given the new values of the records before it.
using Replacement =
    std::function<std::optional<numeric::Value>(uint32_t record, std::span<const numeric::Value> values)>;

struct Rerun {
  std::vector<numeric::Value> values; // one per record
  bool flips = false;                 // a decision would change, so the code would have taken another path
  size_t replaced = 0;
};
Rerun rerun(const Tape& tape, const Replacement& replacement);

// Evaluates an operation in a format, on values of its operands' formats.
numeric::Value evaluate(ops::Op op, numeric::Format format, numeric::Value a, numeric::Value b = 0,
                        numeric::Value c = 0);

} // namespace faultline::tape
