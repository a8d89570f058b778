// A set of real numbers: finitely many intervals, in ascending order and apart from each other.
//
// Ends are dyadic numbers of real_precision bits, most of them roundings of algebraic or transcendental ones. Two ends
// that agree in all but the last few bits are taken as the same number: it is how a point that two constraints have in
// common is recognised, and no two floats are that near.
#pragma once

#include "numeric/binary.h"
#include "numeric/random.h"
#include "solve/real/polynomial.h"

#include <vector>

namespace faultline::solve {

struct RealInterval {
  BigFloat low, high; // infinite ones are never in
  bool low_in = false, high_in = false;
};

class RealSet {
public:
  RealSet() = default; // empty
  static RealSet everything();
  static RealSet point(const BigFloat& value);
  static RealSet above(const BigFloat& value, bool itself);
  static RealSet below(const BigFloat& value, bool itself);
  static RealSet between(RealInterval interval);

  bool empty() const { return intervals_.empty(); }
  bool is_everything() const;
  bool contains(const BigFloat& value) const;
  const std::vector<RealInterval>& intervals() const { return intervals_; }

  RealSet complement() const;
  friend RealSet operator&(const RealSet& a, const RealSet& b);
  friend RealSet operator|(const RealSet& a, const RealSet& b);

  // Appends one that lies above all others; joins it to the last where they touch. Empty ones are left out.
  void append(RealInterval interval);

private:
  std::vector<RealInterval> intervals_;
};

// -1, 0 or 1; numbers nearer than the last few bits are equal.
int compare_ends(const BigFloat& a, const BigFloat& b);

// From sets of reals to floats (Ariadne's Algorithm 6): which floats of a set are worth a try.

// Finite floats by their orders (numeric/binary.h); empty if low > high.
struct FloatRange {
  numeric::Int128 low = 0, high = -1;
};

FloatRange floats_within(const RealInterval& interval, numeric::BinaryFormat format);

// The order of the float at this part of the way from low to high, as reals.
numeric::Int128 between(const FloatRange& range, numeric::BinaryFormat format, double part);

// At most `most` floats: simple ones, middles, ends, and some just outside the ends, since what the reals exclude by a
// little rounding may admit. All intervals take turns. Beyond the first dozen or so they are random.
std::vector<numeric::Bits> floats_to_try(const RealSet& set, numeric::BinaryFormat format, size_t most,
                                         numeric::Rng& rng);

// One float of the set at random: any interval, an end, a middle or anywhere. Nothing if it has none.
std::vector<numeric::Bits> random_float(const RealSet& set, numeric::BinaryFormat format, numeric::Rng& rng);

} // namespace faultline::solve
