// The starting points of searches, in order: known models of the caller, zeros, ones, the middles and ends of the box,
// then mixtures. A mixture draws each variable from its range uniformly, by exponent, from the constants of the system,
// from small integers, or as another variable.
#pragma once

#include "constraint/system.h"
#include "numeric/random.h"

namespace faultline::solve {

// The box of a system: for each float variable the range that the assertions on it alone permit.
//
// A bound comes from a comparison, an equality or a classification with a constant on one side and the variable,
// possibly negated or converted, on the other. These are monotonic, so bisection over the numbers of the format
// (numeric/format.h) finds the end of the range exactly for any rounding. Searches remain inside.
struct Range {
  constraint::BinaryFormat format = {};
  bool boolean = false;
  numeric::Int128 low = 0, high = 0; // numbers of the format; for a Boolean 0 and 1
  bool nan = false;                  // NaN is possible

  // True if the magnitudes of both ends are below the largest float of the format.
  bool bounded() const { return low > -numeric::Int128(format.largest()) && high < numeric::Int128(format.largest()); }
  constraint::Bits nearest(numeric::Int128 number) const {
    return format.at(number < low ? low : number > high ? high : number);
  }
  // The value in the range nearest to a double.
  constraint::Bits nearest(double value) const;
};

using Box = std::vector<Range>; // one range for each variable

Box box_of(const constraint::System& system);

class Starts {
public:
  Starts(const constraint::System& system, const Box& box, std::vector<constraint::Model> near, numeric::Rng rng);

  constraint::Model next();

  // Draws a value for one variable, as for a mixture.
  constraint::Bits drawn(size_t variable);

private:
  constraint::Model everywhere(double value) const;
  constraint::Bits uniform(const Range& range);
  constraint::Bits by_exponent(const Range& range);

  const Box& box_;
  std::vector<constraint::Model> near_;
  std::vector<double> constants_;
  numeric::Rng rng_;
  size_t count_ = 0;
};

} // namespace faultline::solve
