// Where a side of a box is cut, so that each float of its format is on one side of the cut.
#pragma once

#include "bound/interval.h"
#include "numeric/format.h"

namespace faultline::bound {

// To the nearest float; numbers of x87 are those among them that are doubles.
double rounded_to(double value, numeric::Format format);

// Between neighbouring doubles there are more numbers of x87: these are not told apart.
bool can_be_cut(const Interval& side, numeric::Format format);

// The last float of the lower part: the middle, or, of ends of very different size, what lies between these.
double cut_of(const Interval& side, numeric::Format format);
// The first float of the upper part; of x87, whose next number is no double, the cut itself.
double float_above(double value, numeric::Format format);

} // namespace faultline::bound
