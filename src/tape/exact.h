// Reader: the operations of a tape carried out at one fixed high precision, again and again: a search asks for the
// exact result of every run. tape/replay.h does the same once, with bounds for what it says, and allocates; here all
// memory is kept, and there are no bounds. What a search finds by it is for the oracle to confirm.
#pragma once

#include "numeric/bigfloat.h"
#include "tape/tape.h"

#include <vector>

namespace faultline::tape {

class Exact {
public:
  explicit Exact(long precision);

  // Carries out the records that the judged outputs and the decisions depend on. What was read before is forgotten.
  void read(const Tape& tape, const std::vector<size_t>& outputs);

  // Would exact arithmetic take another path? Then the values are those of the run's own path.
  bool flips() const { return flips_; }
  mpfr_srcptr value(uint32_t record) const { return &values_[record]; }
  // The values, rounded, for readers that take such (tape/adjoint.h). Of records that nothing depends on: the run's.
  const std::vector<double>& rounded(const Tape& tape);

private:
  void reserve(const Tape& tape);
  static void set(mpfr_ptr value, const Tape& tape, uint32_t index);
  mpfr_srcptr operand(const Tape& tape, uint32_t index, int which) const;
  bool decides_otherwise(const Tape& tape, uint32_t index, mpfr_srcptr a, mpfr_srcptr b);

  long precision_;
  std::vector<mp_limb_t> limbs_;
  std::vector<__mpfr_struct> values_;
  std::vector<numeric::BigFloat> constants_;
  std::vector<uint8_t> needed_;
  std::vector<double> rounded_;
  numeric::BigFloat decided_, nothing_;
  bool flips_ = false;
};

} // namespace faultline::tape
