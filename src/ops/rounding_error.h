// What one operation of the machine can be wrong by, over a box of operands: at most half a unit in the last place of
// its largest result, of libm's functions as many units as they are known to be, and nothing where it is exact. In
// either of the two arithmetics of ops/enclosures.h.
//
// What makes it exact is a grain: a power of two of which every value is a multiple. A float is one of the unit in its
// last place, so values that stay away from 0 have a coarse grain; a sum is a multiple of the finer of its operands'
// grains, a product of their product. All multiples of 2^g up to 2^(g + p) are floats of precision p, as long as the
// format has numbers as small as 2^g: that is Sterbenz' lemma, and small integers, and 3 * x of a short x.
#pragma once

#include "numeric/format.h"
#include "numeric/interval.h"
#include "numeric/range.h"
#include "ops/op.h"

#include <cstdint>
#include <span>

namespace faultline::ops {

// Its exponent. Of floats: those of a run, whatever exact arithmetic has in their place.
using Grain = int64_t;
inline constexpr Grain no_grain = -(int64_t(1) << 40);   // finer than any float's: nothing is known
inline constexpr Grain grain_of_zero = int64_t(1) << 40; // a multiple of everything; no grain is above it

template <class T>
struct Rounded {
  typename T::End error = 0; // |rounded - exact| is at most this; infinity: nothing is known
  Grain grain = no_grain;
};

template <class T>
struct RoundedOperand {
  const T* values = nullptr; // of the run and of exact arithmetic
  Grain grain = no_grain;
  bool is_constant = false; // the same number in both
};

// `result`: all exact results of the operation on the operands' values, all of them floats of `format` or of a narrower
// one (for fptrunc, of any).
template <class T>
Rounded<T> rounding_error(Op op, numeric::Format format, const T& result, std::span<const RoundedOperand<T>> operands);

Grain grain_of(double number);
Grain grain_of(const numeric::Real& number);
// Of the floats of a format whose exact values are in the range, rounded or not.
template <class T>
Grain grain_of_floats(const T& values, numeric::Format format);

// Half a unit in the last place of floats up to this magnitude: how far a real may be that rounds to one of them, also
// above a power of two.
template <class T>
typename T::End half_unit_around(const T& values, numeric::Format format);
// A unit in the last place at the smallest of these.
template <class T>
typename T::End unit_at(const T& values, numeric::Format format);

// The exponent of the unit in the last place, and of the smallest number.
int64_t unit_exponent(const numeric::Real& magnitude, numeric::Format format);
int64_t smallest_exponent(numeric::Format format);

} // namespace faultline::ops
