// A set of real numbers: finitely many separate intervals in ascending order.
//
// Ends are dyadic numbers of real_precision bits, mostly roundings of algebraic or transcendental numbers. Ends that
// differ only in the last few bits count as equal: this recognises a point common to two constraints, and no two floats
// are that close.
#pragma once

#include "numeric/binary.h"
#include "numeric/random.h"
#include "solve/real/polynomial.h"

#include <vector>

namespace faultline::solve {

struct RealInterval {
  BigFloat low, high; // infinite ends are never included
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

  // Appends an interval above all others, joined to the last if they touch. Empty intervals are skipped.
  void append(RealInterval interval);

private:
  std::vector<RealInterval> intervals_;
};

// Returns -1, 0 or 1; numbers that differ only in the last few bits are equal.
int compare_ends(const BigFloat& a, const BigFloat& b);

// Converts sets of reals to floats (Ariadne's Algorithm 6): chooses the floats to try.

// Finite floats by their orders (numeric/binary.h); empty if low > high.
struct FloatRange {
  numeric::Int128 low = 0, high = -1;
};

FloatRange floats_within(const RealInterval& interval, BinaryFormat format);

// Returns the order of the float at this fraction of the way from low to high, as reals.
numeric::Int128 between(const FloatRange& range, BinaryFormat format, double part);

// Returns at most `most` floats: simple ones, middles, ends, and some just outside the ends, because rounding may admit
// what the reals narrowly exclude. Intervals take turns. After the first dozen or so, the floats are random.
std::vector<numeric::Bits> floats_to_try(const RealSet& set, BinaryFormat format, size_t most, numeric::Rng& rng);

// Returns one random float of the set: in any interval, an end, a middle or any other. Empty if the set has none.
std::vector<numeric::Bits> random_float(const RealSet& set, BinaryFormat format, numeric::Rng& rng);

} // namespace faultline::solve
