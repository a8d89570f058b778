// Where a side of a box is cut, so that each value of the input is on one side of the cut.
#pragma once

#include "numeric/format.h"
#include "numeric/interval.h"

namespace faultline::bound {

using numeric::Interval;

// The values that an input can have: the floats of a format, or whole numbers (which are doubles).
struct Grid {
  numeric::Format format = numeric::Format::binary64;
  bool whole = false;

  Grid(numeric::Format format, bool whole = false) : format(format), whole(whole) {}
};

// To the nearest value; numbers of x87 are those among them that are doubles.
double rounded_to(double value, Grid grid);

// Between neighbouring doubles there are more numbers of x87: these are not told apart.
bool can_be_cut(const Interval& side, Grid grid);

// The last value of the lower part: the middle, or, of floats of very different size, what lies between these.
double cut_of(const Interval& side, Grid grid);
// The first value of the upper part; of x87, whose next number is no double, the cut itself.
double float_above(double value, Grid grid);

} // namespace faultline::bound
