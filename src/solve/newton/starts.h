// Where searches begin, in order: what the caller knows, zeros, ones, the middles and ends of the box, then mixtures in
// which each variable is drawn from its range uniformly, by exponent, from the constants of the system, from small
// integers, or as another variable.
#pragma once

#include "constraint/system.h"
#include "numeric/random.h"

namespace faultline::solve {

// The box of a system: for each float variable the range that assertions about it alone leave.
//
// A bound is read from a comparison, an equality or a classification whose one side is a constant and whose other side
// is the variable, perhaps negated or converted: these are monotonic, and the end of the range is found by bisection
// over the numbers of the format (numeric/format.h), which is exact whatever the rounding. Searches stay inside.
struct Range {
  constraint::BinaryFormat format = {};
  bool boolean = false;
  numeric::Int128 low = 0, high = 0; // numbers of the format; of a Boolean 0 and 1
  bool nan = false;                  // NaN is not excluded

  // Whether the ends are finite, and not the largest floats of the format only.
  bool bounded() const { return low > -numeric::Int128(format.largest()) && high < numeric::Int128(format.largest()); }
  constraint::Bits nearest(numeric::Int128 number) const {
    return format.at(number < low ? low : number > high ? high : number);
  }
  // The value in the range that is nearest to a double.
  constraint::Bits nearest(double value) const;
};

using Box = std::vector<Range>; // one for each variable

Box box_of(const constraint::System& system);

class Starts {
public:
  Starts(const constraint::System& system, const Box& box, std::vector<constraint::Model> near, numeric::Rng rng);

  constraint::Model next();

  // A value for one variable, drawn as for a mixture.
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
