// Bounds the rounding error of one operation over a box of operands: half a unit in the last place of the largest
// result, the known number of units for libm's functions, and 0 where the operation is exact. Works in both arithmetics
// of ops/enclosures.h.
//
// Exactness follows from grains. A grain is a power of two that divides every value. A float is a multiple of
// the unit in its last place, so values away from 0 have a coarse grain. A sum is a multiple of the finer of its
// operands' grains, a product of their product. All multiples of 2^g up to 2^(g + p) are floats of precision p, as long
// as the format has numbers as small as 2^g. This covers Sterbenz' lemma, small integers, and 3 * x of a short x.
#pragma once

#include "numeric/format.h"
#include "numeric/interval.h"
#include "numeric/range.h"
#include "ops/op.h"

#include <cstdint>
#include <span>

namespace faultline::ops {

// The exponent of a grain. It applies to the floats of a run, whatever their exact counterparts are.
using Grain = int64_t;
inline constexpr Grain no_grain = -(int64_t(1) << 40);   // finer than any float's: unknown
inline constexpr Grain grain_of_zero = int64_t(1) << 40; // 0 is a multiple of everything; no grain is larger

template <class T> struct Rounded {
  typename T::End error = 0; // bound of |rounded - exact|; infinity: unknown
  Grain grain = no_grain;
};

template <class T> struct RoundedOperand {
  const T* values = nullptr; // of the run and of exact arithmetic
  Grain grain = no_grain;
  bool is_constant = false; // the same number in both
};

// `result` holds all exact results of the operation on the operands' values. These are floats of `format` or of a
// narrower one (for fptrunc, of any).
template <class T>
Rounded<T> rounding_error(Op op, numeric::Format format, const T& result, std::span<const RoundedOperand<T>> operands);

Grain grain_of(double number);
Grain grain_of(const numeric::Real& number);
// Returns the grain of the floats of a format whose exact values are in the range, rounded or not.
template <class T> Grain grain_of_floats(const T& values, numeric::Format format);

// Returns half a unit in the last place of floats up to this magnitude: the largest distance of a real that rounds to
// one of them, even above a power of two.
template <class T> typename T::End half_unit_around(const T& values, numeric::Format format);
// Returns a unit in the last place at the smallest of these values.
template <class T> typename T::End unit_at(const T& values, numeric::Format format);

// Return the exponent of the unit in the last place, and of the smallest number.
int64_t unit_exponent(const numeric::Real& magnitude, numeric::Format format);
int64_t smallest_exponent(numeric::Format format);

} // namespace faultline::ops
