// The rounding error that one operation can add, over a box of operands: at most half a unit in the last place of its
// largest result, and nothing where it is exact.
//
// What makes it exact is a grain: a power of two of which every value is a multiple. A float is one of the unit in its
// last place, so values that stay away from 0 have a coarse grain; a sum is a multiple of the finer of its operands'
// grains, a product of their product. A result that is a multiple of a grain and no larger than 2^p of them is a float
// of precision p: that is Sterbenz' lemma, and small integers, and 3 * x of a short x.
#pragma once

#include "bound/interval.h"
#include "numeric/format.h"
#include "ops/op.h"

#include <span>

namespace faultline::bound {

// Exponents of grains. `no_grain`: finer than any float's.
inline constexpr int no_grain = -100'000;
inline constexpr int any_grain = 100'000; // of 0

int grain_of_constant(double value);
// Of floats of a format within an interval.
int grain_of_floats(const Interval& values, numeric::Format format);

struct Rounded {
  double error = 0; // |rounded - exact| is at most this
  int grain = no_grain;
};

struct RoundedOperand {
  Interval values;
  int grain = no_grain;
  bool constant = false;
};

// `result`: the exact results of the operation on the operands' values. An error of infinity: nothing is known.
Rounded local_error(ops::Op op, numeric::Format format, const Interval& result,
                    std::span<const RoundedOperand> operands);

// Half a unit in the last place of the largest of these; of a power of two that of the floats below.
double half_unit(double magnitude, numeric::Format format);

// How far a real may be that rounds to a float up to this magnitude: half a unit also above a power of two.
double half_unit_around(double magnitude, numeric::Format format);

// One unit in the last place at the smallest of these: what an error in ulps is measured by.
double unit_at(double mignitude, numeric::Format format);

} // namespace faultline::bound
