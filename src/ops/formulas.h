// The columns of the table that are formulas: libm's error, evaluation in Arb, values over ranges of operands, and
// slopes over ranges.
//
// The formulas are next to the entries, in the headers of the families, one specialisation of `Formulas` for each
// operation of FAULTLINE_FUNCTIONS. If a specialisation or one of its columns is missing, ops/enclosures.cpp does not
// compile. Operations without known formulas derive from `Unbounded`. Formulas are templates over the number type, for
// two arithmetics that share no code: intervals of doubles, with which the search proves bounds (numeric/interval.h),
// and ranges of Arb's floats, with which certificates are checked (numeric/range.h). A wrong formula is wrong in both;
// tests/unit/ops/formulas_test.cpp compares each with MPFR.
//
//   ulps    the error of the C library's function, in units in the last place, by format.
//   ball    evaluation in Arb's balls at a point; null if Arb lacks it.
//   meaning the mathematical function, as an expression of docs/meaning.md.
//   range   range(a) or range(a, b): all exact results. Not `known` where there may be none.
//   slope   slope(a, result) or slopes(a, b, result): all derivatives by each operand, on all operands.
#pragma once

#include "numeric/interval.h"
#include "numeric/range.h"
#include "ops/table.h"

#include <arb.h>

#include <array>
#include <concepts>
#include <limits>

namespace faultline::ops {

template <class T>
concept Enclosure = std::same_as<T, numeric::Interval> || std::same_as<T, numeric::Range>;

struct Ulps {
  double binary32, binary64, extended80;
};
inline constexpr double unknown_error = std::numeric_limits<double>::infinity();

struct Meaning {
  const char* inputs = "";     // names in the order of C's arguments; :i after those of integers
  const char* expression = ""; // empty: not a C function of numbers alone, or not expressible
};

using BallFunction = void (*)(arb_t result, const arb_t a, const arb_t b, slong precision);

template <auto function>
inline constexpr BallFunction ball = [](arb_t result, const arb_t a, const arb_t b, slong precision) {
  if constexpr (std::invocable<decltype(function), arb_ptr, arb_srcptr, slong>)
    function(result, a, precision);
  else
    function(result, a, b, precision);
};

template <Op op> struct Formulas;

template <Ulps error, BallFunction evaluate> struct Libm {
  static constexpr Ulps ulps = error;
  static constexpr BallFunction ball = evaluate;
};

inline constexpr Ulps no_bound{unknown_error, unknown_error, unknown_error};

// An operation whose values over ranges are unknown.
struct Unbounded : Libm<no_bound, nullptr> {
  static constexpr Meaning meaning{};
  static auto range(const auto& a, const auto&...) { return a.nothing_known(); }
  static auto slope(const auto& a, const auto&) { return a.nothing_known(); }
  static auto slopes(const auto& a, const auto&, const auto&) {
    return std::array{a.nothing_known(), a.nothing_known()};
  }
};

// Primitives that each arithmetic defines (ops/enclosures.cpp).

// Returns the result at one point. The operands are single numbers.
numeric::Interval at(Op op, const numeric::Interval& a, const numeric::Interval& b = {});
numeric::Range at(Op op, const numeric::Range& a, const numeric::Range& b = {});
// True if (offset + k * period) * pi may lie in the range for an integer k. The period is 1 or 2.
bool meets(const numeric::Interval& a, double offset, double period);
bool meets(const numeric::Range& a, double offset, double period);
// Returns a * 2^exponent if the exponent is a single integer of moderate size.
numeric::Interval scaled(const numeric::Interval& a, const numeric::Interval& exponent);
numeric::Range scaled(const numeric::Range& a, const numeric::Range& exponent);

// Rounds both ends toward zero.
numeric::Interval truncated_ends(const numeric::Interval& a);
numeric::Range truncated_ends(const numeric::Range& a);
// Returns the digamma function at one positive point.
numeric::Interval digamma_at(const numeric::Interval& a);
numeric::Range digamma_at(const numeric::Range& a);

// Returns an enclosure of an irrational number, as precise as the operand it is combined with.
enum class Irrational : uint8_t { log_2, log_10, two_over_root_pi };
numeric::Interval around(Irrational number, const numeric::Interval& like);
numeric::Range around(Irrational number, const numeric::Range& like);

// Short forms for writing formulas.

template <Enclosure T> T operator+(double a, const T& b) { return T::of(a) + b; }
template <Enclosure T> T operator-(double a, const T& b) { return T::of(a) - b; }
template <Enclosure T> T operator*(double a, const T& b) { return T::of(a) * b; }
template <Enclosure T> T operator/(double a, const T& b) { return T::of(a) / b; }

// Intersects the range with known bounds that rounding may have exceeded.
template <Enclosure T> T within(const T& range, double low, double high = std::numeric_limits<double>::infinity()) {
  return range.known() ? meet(range, T{low, high}) : range;
}

template <Enclosure T> T between_ends(Op op, const T& a) {
  return a.single() ? at(op, a.lower()) : hull(at(op, a.lower()), at(op, a.upper()));
}

// Evaluates at the ends where the table's column `monotone` applies.
template <Enclosure T> T monotone(Op op, const T& a) {
  const Monotone& way = entry(op).monotone;
  return way && a.low >= way.low && a.high <= way.high ? between_ends(op, a) : T::nothing_known();
}
template <Op op> struct MonotoneRange {
  static auto range(const auto& a) { return monotone(op, a); }
};

// For functions that are monotone in each operand: the ends are at corners.
template <Enclosure T> T between_corners(Op op, const T& a, const T& b) {
  return hull(hull(at(op, a.lower(), b.lower()), at(op, a.lower(), b.upper())),
              hull(at(op, a.upper(), b.lower()), at(op, a.upper(), b.upper())));
}

// sin or cos, with maxima at (top + 2 k) pi.
template <Enclosure T> T wave(Op op, const T& a, double top) {
  if (!numeric::is_finite(a.low) || !numeric::is_finite(a.high))
    return T::nothing_known();
  const bool up = meets(a, top, 2), down = meets(a, top + 1, 2);
  if (up && down)
    return {-1, 1};
  const T range = within(between_ends(op, a), -1, 1);
  return range.known() ? range.spanning(down ? -1 : range.low, up ? 1 : range.high) : T{-1, 1};
}

template <Enclosure T> T exponential_of(const T& a) { return within(monotone(Op::exp, a), 0); }

template <Enclosure T> T cosh_of(const T& a) { return within(between_ends(Op::cosh, magnitudes(a)), 1); }

// 1 - a^2 without the cancellation at 1.
template <Enclosure T> T one_minus_square(const T& a) {
  const T size = magnitudes(a);
  return (1 - size) * (1 + size);
}

// a - n b, where n is a / b rounded toward zero: known to have one value, or anything.
template <Enclosure T> struct Remainder {
  T turns; // n
  bool is_settled() const { return turns.known() && turns.single(); }

  static Remainder of(const T& a, const T& b) {
    const T quotient = b.single() ? a / b : T::nothing_known();
    return {quotient.known() && numeric::is_finite(quotient.low) && numeric::is_finite(quotient.high)
                ? truncated_ends(quotient)
                : T::nothing_known()};
  }
  T range(const T& a, const T& b) const {
    if (!turns.known())
      return T::nothing_known();
    const T size = magnitudes(b), all = a.low >= 0    ? hull(T::of(0), size)
                                        : a.high <= 0 ? hull(-size, T::of(0))
                                                      : hull(-size, size);
    if (!is_settled())
      return all;
    const T rest = a - turns * b;
    return rest.known() ? meet(rest, all) : all;
  }
};

// The least argument of the gamma function above 0, between two doubles.
inline constexpr double gamma_turns_below = 1.4616321449683622, gamma_turns_above = 1.4616321449683625;

// A function that falls up to there and rises from there, over positive operands. `least`: not above its values.
template <Enclosure T> T falls_and_rises(Op op, const T& a, double least) {
  if (!(a.low > 0))
    return T::nothing_known();
  const T ends = between_ends(op, a);
  return !ends.known() || a.high <= gamma_turns_below || a.low >= gamma_turns_above ? ends : hull(ends, T::of(least));
}

template <Enclosure T> T digamma_of(const T& a) {
  return a.low > 0 ? hull(digamma_at(a.lower()), digamma_at(a.upper())) : T::nothing_known();
}

template <Enclosure T> bool is_one_integer(const T& a) { return a.single() && numeric::is_whole(a.low); }

// x^n for an integer n. For even n it depends on the magnitude.
template <Enclosure T> T whole_power(const T& a, const T& n) {
  if (n.low < 0)
    return 1 / whole_power(a, -n);
  if (!numeric::is_even(n.low))
    return hull(at(Op::pow, a.lower(), n), at(Op::pow, a.upper(), n));
  const T size = magnitudes(a);
  return within(hull(at(Op::pow, size.lower(), n), at(Op::pow, size.upper(), n)), 0);
}

// The slope in the base.
template <Enclosure T> T power_slope(const T& a, const T& b, const T& result) {
  if (b.single() && b.low == 0)
    return T::of(0);
  // For a large integer b, b - 1 may not be a double, and its parity is lost.
  const T less = b - T::of(1);
  return is_one_integer(b) && less.single() ? b * whole_power(a, less) : b * (result / a);
}

} // namespace faultline::ops
