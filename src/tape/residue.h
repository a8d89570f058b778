// Reader: the residue of every value, that is, the exact value on this path minus the recorded one. One forward sweep
// computes them all.
//
// Local rounding errors are exact (error-free transformations). Those of libm calls come from x87's format, those of
// functions of long double from MPFR. Residues follow the operations' own rules (tape/shadow.h), not derivatives, so
// errors of any size come out right: a product's residue includes the second-order term, and where the residue outgrows
// the value, the operation is evaluated on the exact operands. The adjoint's first-order estimate (tape/adjoint.h)
// cannot do this. A search can use residues as its score: no oracle, no MPFR, a few nanoseconds per operation.
//
// Precision: x87's 64 bits and exponent range. Smaller effects are invisible: the rounding of a libm result below 2^-64
// of it, and the digits of an exact value that a cancellation left. 1 - cos(x) below 1e-10 therefore counts as right;
// nearby samples show the error. Phases (below) handles periodic functions of huge results.
//
// The result of an uninstrumented function has no residue if its arguments are exact. Otherwise its exact value is
// unknown, and so is all that is computed from it.
#pragma once

#include "numeric/bigfloat.h"
#include "tape/shadow.h"
#include "tape/tape.h"

#include <optional>
#include <vector>

namespace faultline::tape {

// Reader: the exact value of a periodic function of a huge computed argument.
//
// A residue has 53 or 64 bits. If the argument is 1e70 with an error of 1e54, the phase lies below those bits, and only
// the range of sin is known. So the operations that lead to the argument are repeated with a few more bits than their
// largest value has before the point. These are few in practice (a square root and a product, say), so a search can
// afford it in every run. Replaying the whole tape (tape/replay.h) would cost a hundred times as much.

// True if residues cannot determine the phase of an argument with this error.
bool phase_is_lost(long double argument, long double error);

class Phases {
public:
  // Starts a new tape and forgets the values computed for the last one.
  void begin() { argument_ = 0; }

  // Returns this record's periodic function of its exact argument on this path. Returns nothing if too many operations
  // lead to the argument, or if the argument is not finite.
  std::optional<long double> exact(const Tape& tape, uint32_t index);

private:
  bool gather(const Tape& tape, uint32_t argument);
  bool carry_out(const Tape& tape);
  numeric::BigFloat& place(uint32_t record);

  uint32_t argument_ = 0;                 // of the last call: sin and cos come in pairs
  bool known_ = false;                    // the argument's value
  std::vector<uint32_t> records_;         // the records that lead to the argument, ascending
  std::vector<numeric::BigFloat> values_; // of these records; kept for their memory
  numeric::BigFloat constants_[3];        // constant operands of one operation
  numeric::BigFloat result_;
};

// The outcome of a step (tape::steps) in exact arithmetic: certain if its operands carry no error, else the same
// outcome or another one. Ties that residues cannot resolve count as another.
enum class ExactOutcome : uint8_t { certain, same, another };

// True for comparisons, conversions to integers, and roundings to integers that stay floats. In these the smallest
// error of an operand has either no effect or a full one.
bool steps(ops::Op op);

class Residues {
public:
  // Sweeps the records that these outputs depend on. Discards earlier results.
  void read(const Tape& tape, const std::vector<size_t>& outputs);

  // Sweeps the records that comparisons and conversions to integers depend on. True if one of them may have gone wrong.
  // Discards earlier results.
  bool doubt_path(const Tape& tape);

  // Sweeps the records that the steps up to `last` depend on, roundings included. Discards earlier results.
  void read_steps(const Tape& tape, uint32_t last);
  // Requires a step that was swept.
  ExactOutcome exact_outcome(const Tape& tape, uint32_t record) const;

  // Returns the shadow of a swept record. Where it is unknown, returns the recorded value with no error.
  Shadow shadow(const Tape& tape, uint32_t record) const;
  bool is_known(uint32_t record) const { return slots_[record].state != Slot::unknown; }

private:
  // The error alone; once it outgrows the value, the exact value has digits of its own.
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

// The estimated error of the output with the largest relative error. It is infinite (1e300) where a nonzero value
// should be zero. Outputs that are not finite, right to an ulp, or wrong by less than the smallest normal number count
// as 0, since a search for rounding errors does not look for them.
struct EstimatedError {
  double relative = 0;
  double absolute = 0;
  double over_claim = 0; // the error as a multiple of the one claimed for the output
  bool unknown = false;  // the error of some output is unknown and counts as 0 here
};

// An output that claims to bound the error of another one.
struct Claim {
  size_t output = 0;
  size_t bound = 0;
};

EstimatedError estimated_error(const Tape& tape, const std::vector<size_t>& outputs, Residues& residues,
                               const std::vector<Claim>& claims = {});

} // namespace faultline::tape
