// Reader: what every value should have been. One forward sweep carries, beside each recorded value, its residue: the
// exact value on this path minus the recorded one.
//
// The local rounding errors are exact (error-free transformations) or, for libm, those of x87's format, and of MPFR for
// functions of long double; they are propagated by the operations' own rules (tape/shadow.h) and not by their
// derivatives, so that an error of any size comes out right: a product's residue has its second-order term, and where
// the residue outgrows the value, the operation is carried out on the exact operands. That is what the adjoint's
// first-order estimate (tape/adjoint.h) cannot do, and what makes this the score of a search: no oracle, no MPFR, a few
// nanoseconds an operation.
//
// Precision: x87's 64 bits and its exponent range. What is too small for them is not seen: the rounding of a libm
// result below 2^-64 of it, and the digits of an exact value that is itself what a cancellation left. So 1 - cos(x)
// below 1e-10 counts as right; samples beside it tell. Periodic functions of huge results are the exception:
// tape/residue.h tells these.
//
// The result of a function that is not instrumented has no residue if what it was given is exact. If not, nobody knows
// what it should have been, nor what is computed from it.
#pragma once

#include "numeric/bigfloat.h"
#include "tape/shadow.h"
#include "tape/tape.h"

#include <optional>
#include <vector>

namespace faultline::tape {

// Reader: the exact value of a periodic function of a huge argument that is itself a result.
//
// A residue (tape/residue.h) has 53 bits, or 64. If the argument is 1e70 and wrong by 1e54, the phase is in bits that
// neither has: what is known of sin is its range. So the operations that lead to the argument, and only these, are
// carried out again with as many bits as their largest value has before the point, and some more. They are few where
// this is needed (a square root and a product, say), so a search can afford it for every run; replaying the whole tape
// (tape/replay.h) would cost a hundred times as much.

// Is an argument, wrong by so much, beyond what residues can tell the phase of?
bool phase_is_lost(long double argument, long double error);

class Phases {
public:
  // Another tape: what was computed for the last one is forgotten.
  void begin() { argument_ = 0; }

  // The periodic function of this record, of its exact argument on this path. Nothing if too much leads to the
  // argument, or the argument is not finite.
  std::optional<long double> exact(const Tape& tape, uint32_t index);

private:
  bool gather(const Tape& tape, uint32_t argument);
  bool carry_out(const Tape& tape);
  numeric::BigFloat& place(uint32_t record);

  uint32_t argument_ = 0;                 // of the last call: sin and cos come in pairs
  bool known_ = false;                    // its value
  std::vector<uint32_t> records_;         // that lead to the argument, ascending
  std::vector<numeric::BigFloat> values_; // of these; kept for their memory
  numeric::BigFloat constants_[3];        // among the operands of one operation
  numeric::BigFloat result_;
};

// What exact arithmetic makes of a step (tape::steps): its operands carry no error, so the outcome is certain; or they
// do, and it goes the same way or another. Ties that residues cannot tell count as going another way.
enum class ExactOutcome : uint8_t { certain, same, another };

// Comparisons, conversions to integers, and roundings to integers that stay floats: the smallest error of an operand is
// of no consequence there, or of all.
bool steps(ops::Op op);

class Residues {
public:
  // Sweeps the records that these outputs depend on. What was read before is forgotten.
  void read(const Tape& tape, const std::vector<size_t>& outputs);

  // Sweeps what the comparisons and conversions to integers depend on: may one of them have gone wrong? What was read
  // before is forgotten.
  bool doubt_path(const Tape& tape);

  // Sweeps what the steps depend on, roundings too, up to this record. What was read before is forgotten.
  void read_steps(const Tape& tape, uint32_t last);
  // Of a step that was swept.
  ExactOutcome exact_outcome(const Tape& tape, uint32_t record) const;

  // Of a record that was swept. Where nobody knows, the recorded value, as if it were right.
  Shadow shadow(const Tape& tape, uint32_t record) const;
  bool is_known(uint32_t record) const { return slots_[record].state != Slot::unknown; }

private:
  // The error alone, unless it has outgrown the value: then the exact value keeps digits of its own.
  struct Slot {
    double error;
    enum : uint8_t { unread, small, grown, unknown } state;
    long double exact;
    long double wide_error;
  };
  void begin(const Tape& tape);
  void sweep_needed(const Tape& tape, uint32_t last);
  bool sweep_quickly(const Tape& tape, uint32_t index);
  void sweep(const Tape& tape, uint32_t index);
  bool is_made_of_unknown(const Tape& tape, uint32_t index) const;
  double quick_operand(const Tape& tape, uint32_t operand, double& error, bool& quick) const;

  std::vector<Slot> slots_;
  std::vector<uint8_t> needed_;
  Phases phases_;
};

// The estimated error of the output whose relative error is largest; infinite (1e300) where a value other than zero
// should have been zero. Outputs that are not finite, right to an ulp, or wrong by less than the smallest normal
// number, count as 0: they are not what a search for rounding error is after.
struct EstimatedError {
  double relative = 0;
  double absolute = 0;
  double over_claim = 0; // how many times the error claimed for an output
  bool unknown = false;  // nobody knows the error of some output: it counts as 0 here
};

// An output that claims to bound the error of another one.
struct Claim {
  size_t output = 0;
  size_t bound = 0;
};

EstimatedError estimated_error(const Tape& tape, const std::vector<size_t>& outputs, Residues& residues,
                               const std::vector<Claim>& claims = {});

} // namespace faultline::tape
