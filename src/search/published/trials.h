// Parts shared by the strategies that are guided by the measured error: the number of inputs to try, and the best
// inputs.
#pragma once

#include "search/space.h"
#include "search/strategy.h"

namespace faultline::search {

class Trials {
public:
  // As many as the budget allows; as many as published if the budget has no number.
  Trials(Quest& quest, uint64_t published);

  uint64_t planned() const { return planned_; }
  uint64_t made() const { return made_; }
  bool over() const;

  // Returns the fitness. Keeps the input if its error is among the largest.
  double fitness_of(const exec::Input& input);

  // The best inputs with an error, one for each combination of binades, largest first.
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
// error of the worst judged output, against exact operations on the path of the run. The LSGA paper measured it with
// FpDebug, with a shadow value of 128 bits for every value. Here the tape's residues (tape/residue.h) give it to two
// digits at a small fraction of the cost.
//
// The fitness is only a guide: it does not see wrong branches. The oracle judges the candidates.
struct Measurement {
  // 0 if the run did not return, has no finite output whose origin the tape knows, or is right within an ulp. The
  // largest double for an infinite error, so that logarithms need no special case.
  double error = 0;
  // The same, but errors within an ulp count relative to a number of ordinary size: at most the rounding of one
  // operation. The papers' fitness includes these errors, which separate exponents where the code computes from those
  // where it returns a constant. As relative errors they would mislead: next to the smallest subnormal they are large.
  double fitness = 0;
};

// Runs the input: one evaluation, and the sweep charged as records. `residues` is working space.
Measurement measure(Quest& quest, const exec::Input& input, tape::Residues& residues);

// A value of a dimension as sign, exponent and significand, or as one string of bits: the representation for genetic
// algorithms. All come from the order number, which is the magnitude's bits with the sign folded in (numeric/format.h).
struct Exponents {
  int first = 0, last = 0;
};

// The biased exponent, as stored: 0 for zero and subnormals.
int exponent_of(const Dimension& dimension, Value value);
bool is_negative(const Dimension& dimension, Value value);

// The exponents of the values in the range.
Exponents exponents_in_range(const Dimension& dimension);

// A random value in the range with this sign and exponent. If there is none, the sign changes and the exponent moves to
// the range's first or last.
Value random_significand(const Dimension& dimension, bool negative, int exponent, numeric::Rng& rng);

// Sign, exponent, significand, in this order; for an integer, its distance from the low end.
numeric::Uint128 bits_of(const Dimension& dimension, Value value);
int bit_count(const Dimension& dimension);
// A value in the range: values beyond an end are mirrored there.
Value value_of_bits(const Dimension& dimension, numeric::Uint128 bits);

} // namespace faultline::search
