// The true error of a run: against exact arithmetic, on the path that exact arithmetic takes. Residues
// (tape/residue.h) cost less, but hold 64 bits: they cannot tell a sum that cancels to nothing from one that cancels to
// 1e-38, and it is between those that the largest errors of sums and products lie.
//
// Two measures. Any exact result: the error against the larger of its magnitude and the floor, so that a result that
// should be zero has an error of finite size, and searches have something to climb. Not zero: only exact results of at
// least the floor, where it is the relative error.
#pragma once

#include "search/strategy.h"
#include "tape/replay.h"

#include <optional>

namespace faultline::search {

// Bits of exact values. Binary32 values from 1e-45 to 1e2 and their products need 300; what is beyond is rounded far
// below any floor.
inline constexpr long exact_precision = 384;

// Times the floor: exact results to aim at that surely count as not zero. A guess.
inline constexpr double above_floor = 1.5;

struct TrueError {
  bool usable = false; // the run returned, and a finite output has a reference
  double any = 0;      // largest of the outputs
  double not_zero = 0;
  size_t output = 0;   // the one with the largest, or the first that is usable
  double absolute = 0; // its absolute error
  double most_absolute = 0;
  bool flipped = false; // exact arithmetic takes another path
};

struct Found {
  exec::Input input;
  TrueError error;
};

// What to make large. The absolute error is a way, not an end: with a small exact result beside it, it becomes both.
enum class Aim : uint8_t { any, not_zero, absolute };
double error_of(const TrueError& error, Aim aim);

class TrueErrors {
public:
  explicit TrueErrors(Quest& quest);

  // Runs the input.
  TrueError measure(const exec::Input& input);

  // Of the last run, if it did not flip: the exact value of an output, and its derivatives by the inputs.
  mpfr_srcptr exact(size_t output) const;
  std::vector<double> slopes(size_t output); // one an input

  // Of the last run: the inputs that an output depends on.
  std::vector<size_t> inputs_of(size_t output) const;
  // Of the last run: the site whose rounding has the largest share in the error of an output, to first order; 0 if the
  // run flipped.
  uint32_t suspect(size_t output) const;

  // The exact results that count as not zero.
  double floor() const { return floor_; }

private:
  void add(TrueError& sum, size_t output, long double computed, mpfr_srcptr exact, ops::ErrorExponent error);
  bool read(const tape::Tape& tape); // false if there is no time for that
  void measure_lifted(TrueError& sum, const exec::Input& input);

  Quest& quest_;
  double floor_;
  tape::Exact exact_;
  numeric::BigFloat difference_, magnitude_;
  std::optional<tape::Tape> last_;
  std::vector<exec::OutputValue> computed_;
  std::vector<size_t> among_floats_; // by output
};

} // namespace faultline::search
