// The cut of a side of a box: each value of the input is on one side of it.
#pragma once

#include "numeric/format.h"
#include "numeric/interval.h"

namespace faultline::prove {

using numeric::Interval;

// The values of an input: the floats of a format, or integers (which are doubles).
struct Grid {
  numeric::Format format = numeric::Format::binary64;
  bool whole = false;

  Grid(numeric::Format format, bool whole = false) : format(format), whole(whole) {}
};

// The nearest value; for x87, the nearest that is a double.
double rounded_to(double value, Grid grid);

// Several x87 numbers lie between neighbouring doubles; they are never separated.
bool can_be_cut(const Interval& side, Grid grid);

// The last value of the lower part: the middle, or, between floats of very different size, the middle of the exponents.
double cut_of(const Interval& side, Grid grid);
// The first value of the upper part; for x87, whose next number is not a double, the cut itself.
double float_above(double value, Grid grid);

} // namespace faultline::prove
