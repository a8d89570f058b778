// What the strategies that are guided by the measured error share: how many inputs to try, and the best of those tried.
#pragma once

#include "search/space.h"
#include "search/strategy.h"

namespace faultline::search {

class Trials {
public:
  // As many as the budget allows; if it sets no number, as many as were published.
  Trials(Quest& quest, uint64_t published);

  uint64_t planned() const { return planned_; }
  uint64_t made() const { return made_; }
  bool over() const;

  // The fitness; the input is kept if its error is among the largest.
  double fitness_of(const exec::Input& input);

  // The best inputs that have an error, one for each combination of binades, largest first.
  std::vector<Candidate> best(const char* strategy) const;

private:
  struct Trial {
    double error;
    exec::Input input;
  };

  Quest& quest_;
  tape::Residues residues_;
  uint64_t planned_;
  uint64_t made_ = 0;
  std::vector<Trial> best_; // largest error first
};

// The fitness of the strategies that are guided by the error itself (LSGA, its control GA, S3FP, DEMC): the relative
// error of the worst judged output, against exact operations on the path of the run. FpDebug measured it for the LSGA
// paper, with a shadow value of 128 bits beside every other; here the tape's residues (tape/residue.h) tell it, to two
// digits and at a small fraction of the cost.
//
// It guides, it does not judge: it sees no branch that goes wrong. The oracle has the last word on what a strategy
// proposes.
struct Measurement {
  // 0 if the run did not return, has no finite output whose origin the tape knows, or is right within an ulp. The
  // largest double for an infinite error, so that logarithms need no special case.
  double error = 0;
  // The same, but errors within an ulp count as what they would be for a number of ordinary size: at most the rounding
  // of one operation. The papers' fitness has these; they tell exponents where the code does something from those
  // where it returns a constant. As relative errors they would not do: next to the smallest subnormal they are large.
  double fitness = 0;
};

// Runs the input: one evaluation, and the sweep charged as records. `residues` is room to work in.
Measurement measure(Quest& quest, const exec::Input& input, tape::Residues& residues);

// A value of a dimension as sign, exponent and significand, or as one string of bits: what the genetic algorithms
// work on. All from the order number, which is the magnitude's bits with the sign folded in (numeric/format.h).
struct Exponents {
  int first = 0, last = 0;
};

// As stored, biased: 0 for zero and subnormals.
int exponent_of(const Dimension& dimension, long double value);
bool is_negative(const Dimension& dimension, long double value);

// Those that values in the range have.
Exponents exponents_in_range(const Dimension& dimension);

// With this sign and exponent, the rest at random, in the range. Where the range has no such value, the sign gives way;
// the exponent is moved to the range's first or last.
long double random_significand(const Dimension& dimension, bool negative, int exponent, numeric::Rng& rng);

// The sign first, then the exponent, then the significand; of an integer, its distance from the low end.
numeric::Uint128 bits_of(const Dimension& dimension, long double value);
int bit_count(const Dimension& dimension);
// In the range: what lies beyond is mirrored at its ends.
long double value_of_bits(const Dimension& dimension, numeric::Uint128 bits);

} // namespace faultline::search
