// The true error of a run: against exact arithmetic, on the path that exact arithmetic takes. Residues (tape/residue.h)
// cost less but hold 64 bits: they cannot distinguish a sum that cancels to zero from one that cancels to 1e-38, and
// the largest errors of sums and products lie between those.
//
// There are two measures. Any exact result: the error relative to the larger of its magnitude and the floor, so that a
// result that should be zero has a finite error that searches can climb. Not zero: the relative error of exact results
// of at least the floor.
#pragma once

#include "search/strategy.h"
#include "tape/replay.h"

#include <optional>

namespace faultline::search {

// Bits of exact values. Binary32 values from 1e-45 to 1e2 and their products need 300; the rest is rounded far below
// any floor.
inline constexpr long exact_precision = 384;

// Times the floor: exact results to aim at that certainly count as nonzero. A guess.
inline constexpr double above_floor = 1.5;

struct TrueError {
  bool usable = false; // the run returned, and a finite output has a reference
  double any = 0;      // largest of the outputs
  double not_zero = 0;
  size_t output = 0;   // the output with the largest error, or the first usable one
  double absolute = 0; // its absolute error
  double most_absolute = 0;
  bool flipped = false; // exact arithmetic takes another path
};

struct ScoredInput {
  exec::Input input;
  TrueError error;
};

// What to maximize. The absolute error is a means: with a small exact result next to it, it becomes the others.
enum class Aim : uint8_t { any, not_zero, absolute };
double error_of(const TrueError& error, Aim aim);

class TrueErrors {
public:
  explicit TrueErrors(Quest& quest);

  // Runs the input and measures its error.
  TrueError measure(const exec::Input& input);

  // The exact value of an output in the last run, if it did not flip.
  mpfr_srcptr exact(size_t output) const;
  std::vector<double> slopes(size_t output); // one per input

  // The inputs that an output of the last run depends on.
  std::vector<size_t> inputs_of(size_t output) const;
  // The site whose rounding contributes most to the error of an output of the last run, to first order; 0 if the run
  // flipped.
  uint32_t suspect(size_t output) const;

  // The smallest exact results that count as nonzero.
  double floor() const { return floor_; }

private:
  void add(TrueError& sum, size_t output, Value computed, mpfr_srcptr exact, ops::ErrorExponent error);
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
