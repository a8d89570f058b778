// What one operation of the machine can be wrong by: at most half a unit in the last place of its largest result, of
// libm's functions as many units as they are known to be, and nothing where the result is a float anyway.
//
// The latter is seen by grains: a number is a multiple of 2^grain. Sums are multiples of the finer grain of their
// operands, products of the product; and all multiples of 2^g up to 2^(g + p) are floats of precision p, as long as the
// format has numbers as small as 2^g. (Sterbenz' lemma is a case of it.)
#pragma once

#include "certificate/range.h"
#include "numeric/format.h"
#include "ops/op.h"

#include <cstdint>
#include <optional>
#include <span>

namespace faultline::certificate {

// Of floats: those of a run, whatever exact arithmetic has in their place. None: nothing is known.
using Grain = std::optional<int64_t>;

// Of one number; 0 is a multiple of everything.
Grain grain_of(const Real& number);
// Of the floats of a format whose exact values are in the range, rounded or not.
Grain grain_of_floats(const Range& values, numeric::Format format);

struct Rounded {
  Real error; // at most
  Grain grain;
};

struct RoundedOperand {
  const Range* values = nullptr; // of the run and of exact arithmetic
  Grain grain;
  bool is_constant = false; // the same number in both
};

// `result`: all exact results of the operation on the operands' values, all of them floats of `format` or of a narrower
// one (for fptrunc, of any). None where nothing is known about the operation.
std::optional<Rounded> rounding_error(ops::Op op, numeric::Format format, const Range& result,
                                      std::span<const RoundedOperand> operands, const Rounding& rounding);

// Half a unit in the last place of floats up to this magnitude: how far a real may be that rounds to one of them.
Real half_unit_around(const Real& magnitude, numeric::Format format);
// A unit in the last place at this magnitude.
Real unit_at(const Real& magnitude, numeric::Format format);
Real largest(numeric::Format format);
// Is it one of the format's numbers?
bool is_float(const Real& number, numeric::Format format);
// The next larger one, of a number of the format.
Real float_above(const Real& number, numeric::Format format);

} // namespace faultline::certificate
