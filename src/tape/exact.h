// Reader: the operations of a tape carried out at one fixed high precision, again and again: a search asks for the
// exact result of every run. tape/replay.h does the same once and allocates; here all memory is kept. Values carry the
// bounds of ops/error_bound.h: a pivot that should be zero is noise at any precision, and what is divided by it, too.
#pragma once

#include "numeric/bigfloat.h"
#include "ops/error_bound.h"
#include "tape/tape.h"

#include <vector>

namespace faultline::tape {

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

} // namespace faultline::tape
