// The names of the operations: one list that expands to the enumeration, the table and the printed names.
//
// An operation is the kind of a tape record: an arithmetic instruction, a libm call, a conversion or a comparison. Its
// semantics (evaluation, derivatives, dangers, exceptions) are defined once, in the table (ops/table.h). This header
// only names and categorizes operations, so that the instrumentation does not depend on MPFR.
//
// The list has five parts, each with its own check against an operation that some layer lacks:
//   sources      compute nothing.
//   arithmetic   layers write their own code: a switch over `Arithmetic` without a default.
//   roundings    data: a switch over `Rounding` without a default.
//   functions    data in the table: columns that are required, or that a test checks.
//   comparisons  data: the orders of the operands for which they hold.
#pragma once

#include "numeric/format.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>

namespace faultline::ops {

// The properties of an operation as a set of bits: the third column of the list.
using Traits = uint32_t;
namespace trait {
inline constexpr Traits plain = 0;

// Comparisons: the orders of the operands for which they hold.
inline constexpr Traits less = 1 << 0, equal = 1 << 1, greater = 1 << 2, unordered = 1 << 3;
inline constexpr Traits any_order = less | equal | greater | unordered;

// Roundings: the direction, in the order of numeric::Rounding.
inline constexpr Traits to_even = 1 << 4, away = 1 << 5, up = 1 << 6, down = 1 << 7, toward_zero = 1 << 8;
inline constexpr Traits any_rounding = to_even | away | up | down | toward_zero;
inline constexpr Traits to_int = 1 << 9; // the result is an integer of the program

// An element of the path: the result is an integer, and control flow depends on it.
inline constexpr Traits decision = 1 << 10;
// A value from outside the tape.
inline constexpr Traits leaf = 1 << 11;
inline constexpr Traits arithmetic = 1 << 12, basic = 1 << 25 | arithmetic;

// The second operand is an integer: exact, without a slope.
inline constexpr Traits integer_operand = 1 << 13;
// Computed by a series: in high precision some fifty times as expensive as an addition.
inline constexpr Traits costly = 1 << 14;
// A libm function whose rounding is unspecified: neither exact nor IEEE 754's.
inline constexpr Traits approximate = 1 << 15;
inline constexpr Traits function = costly | approximate;

// The result is an operand or its negative, or keeps its native rounding at every precision. There is no rounding
// error.
inline constexpr Traits exact = 1 << 16;
// An error of an operand passes on unchanged or not at all: all partials are 1, -1 or 0.
inline constexpr Traits isometric = 1 << 24;
// Constant between jumps: all partials are 0.
inline constexpr Traits steps = 1 << 17;
// An error of an operand may have no effect or a full one.
inline constexpr Traits jumps = 1 << 18;
// No poles, branch points or jumps anywhere. The absolute error of the operand counts, even where no digit of it is
// right (exp of a number that is zero in exact arithmetic).
inline constexpr Traits entire = 1 << 19;
// Reduces its operand modulo a number. MPFR does this with as many bits as the operand has before its point.
inline constexpr Traits reduces = 1 << 20;
// Oscillates without end: slopes hold only nearby.
inline constexpr Traits oscillates = 1 << 21 | reduces;
inline constexpr Traits periodic = 1 << 22 | oscillates;
inline constexpr Traits complex_part = 1 << 23 | oscillates; // it reduces both operands
// Rounds on purpose: keeps its native rounding at every precision.
inline constexpr Traits intended = 1 << 26 | exact | jumps | steps;
} // namespace trait

// name, arity, traits.

// `leaf`: a value from outside the tape (uninstrumented memory, an integer), which counts as exact. `decide`: the
// outcome of an integer condition (instrument/decisions.h). Its record may name the compared integers as operands. It
// has arity 0 since it is not computed from them alone.
// clang-format off
#define FAULTLINE_SOURCES(X)                                                                                           \
  X(none, 0, leaf) X(input, 0, leaf) X(leaf, 0, leaf) X(decide, 0, decision)
// clang-format on

// Correctly rounded operations whose rounding error is a float itself, or nearly (numeric/eft.h).
#define FAULTLINE_BASIC(X)                                                                                             \
  X(fadd, 2, basic | isometric)                                                                                        \
  X(fsub, 2, basic | isometric)                                                                                        \
  X(fmul, 2, basic)                                                                                                    \
  X(fdiv, 2, basic)                                                                                                    \
  X(sqrt, 1, basic)

// `round_add`, `round_sub`, `round_fma`: an addition of a large constant whose only purpose is to round to an integer
// or to a multiple of a power of two ((x + 1.5*2^52) - 1.5*2^52). Runs identify these additions (tape/intended.h).
#define FAULTLINE_ARITHMETIC(X)                                                                                        \
  FAULTLINE_BASIC(X)                                                                                                   \
  X(fma, 3, plain)                                                                                                     \
  X(remainder, 2, reduces | jumps)                                                                                     \
  X(fneg, 1, exact | isometric)                                                                                        \
  X(fabs, 1, exact | isometric)                                                                                        \
  X(fmin, 2, exact | jumps | isometric)                                                                                \
  X(fmax, 2, exact | jumps | isometric)                                                                                \
  X(fdim, 2, jumps | isometric)                                                                                        \
  X(copysign, 2, exact | isometric)                                                                                    \
  X(fpext, 1, exact | isometric)                                                                                       \
  X(fptrunc, 1, isometric)                                                                                             \
  X(round_add, 2, intended)                                                                                            \
  X(round_sub, 2, intended)                                                                                            \
  X(round_fma, 3, intended)

// Round to an integer that stays a float, or (`to_int*`) to one of the program: toward zero, to nearest even (lrint) or
// to nearest away (lround).
#define FAULTLINE_ROUNDINGS(X)                                                                                         \
  X(floor, 1, down)                                                                                                    \
  X(ceil, 1, up)                                                                                                       \
  X(trunc, 1, toward_zero)                                                                                             \
  X(round, 1, away)                                                                                                    \
  X(rint, 1, to_even)                                                                                                  \
  X(roundeven, 1, to_even)                                                                                             \
  X(to_int, 1, toward_zero | to_int | decision)                                                                        \
  X(to_int_rint, 1, to_even | to_int | decision)                                                                       \
  X(to_int_round, 1, away | to_int | decision)

// The second operand of `ldexp`, `powi`, `jn` and `yn` is an integer, recorded as a leaf. `powi` is the compiler's own
// repeated multiplication. `frexp` is the fraction, `modf` the fractional part. `modulo` is Fortran's, with the sign of
// the second operand. `erfcx` is erfc scaled by exp(x^2). `c..._re`, `c..._im`: the parts of a function of the complex
// number whose parts are the operands (ops/complex.h).
#define FAULTLINE_FUNCTIONS(X)                                                                                         \
  X(fmod, 2, reduces | jumps)                                                                                          \
  X(modulo, 2, reduces | jumps)                                                                                        \
  X(ldexp, 2, integer_operand)                                                                                         \
  X(frexp, 1, jumps)                                                                                                   \
  X(modf, 1, jumps | isometric)                                                                                        \
  X(logb, 1, jumps | steps)                                                                                            \
  X(hypot, 2, approximate)                                                                                             \
  X(cbrt, 1, approximate)                                                                                              \
  X(exp, 1, function | entire)                                                                                         \
  X(exp2, 1, function | entire)                                                                                        \
  X(exp10, 1, function | entire)                                                                                       \
  X(expm1, 1, function | entire)                                                                                       \
  X(log, 1, function)                                                                                                  \
  X(log2, 1, function)                                                                                                 \
  X(log10, 1, function)                                                                                                \
  X(log1p, 1, function)                                                                                                \
  X(pow, 2, function)                                                                                                  \
  X(powi, 2, costly | integer_operand)                                                                                 \
  X(sin, 1, function | entire | periodic)                                                                              \
  X(cos, 1, function | entire | periodic)                                                                              \
  X(tan, 1, function | periodic)                                                                                       \
  X(asin, 1, function)                                                                                                 \
  X(acos, 1, function)                                                                                                 \
  X(atan, 1, function)                                                                                                 \
  X(atan2, 2, function)                                                                                                \
  X(sinh, 1, function | entire)                                                                                        \
  X(cosh, 1, function | entire)                                                                                        \
  X(tanh, 1, function)                                                                                                 \
  X(asinh, 1, function)                                                                                                \
  X(acosh, 1, function)                                                                                                \
  X(atanh, 1, function)                                                                                                \
  X(cexp_re, 2, function | entire | complex_part)                                                                      \
  X(cexp_im, 2, function | entire | complex_part)                                                                      \
  X(clog_re, 2, function | complex_part)                                                                               \
  X(csqrt_re, 2, function | complex_part)                                                                              \
  X(csqrt_im, 2, function | complex_part)                                                                              \
  X(csin_re, 2, function | entire | complex_part)                                                                      \
  X(csin_im, 2, function | entire | complex_part)                                                                      \
  X(ccos_re, 2, function | entire | complex_part)                                                                      \
  X(ccos_im, 2, function | entire | complex_part)                                                                      \
  X(ctan_re, 2, function | complex_part)                                                                               \
  X(ctan_im, 2, function | complex_part)                                                                               \
  X(csinh_re, 2, function | entire | complex_part)                                                                     \
  X(csinh_im, 2, function | entire | complex_part)                                                                     \
  X(ccosh_re, 2, function | entire | complex_part)                                                                     \
  X(ccosh_im, 2, function | entire | complex_part)                                                                     \
  X(ctanh_re, 2, function | complex_part)                                                                              \
  X(ctanh_im, 2, function | complex_part)                                                                              \
  X(erf, 1, function | entire)                                                                                         \
  X(erfc, 1, function | entire)                                                                                        \
  X(erfcx, 1, function)                                                                                                \
  X(j0, 1, function | entire | oscillates)                                                                             \
  X(j1, 1, function | entire | oscillates)                                                                             \
  X(jn, 2, function | oscillates | integer_operand)                                                                    \
  X(y0, 1, function | oscillates)                                                                                      \
  X(y1, 1, function | oscillates)                                                                                      \
  X(yn, 2, function | oscillates | integer_operand)                                                                    \
  X(tgamma, 1, function | reduces)                                                                                     \
  X(lgamma, 1, function | reduces)

// LLVM's comparisons: `o` is ordered, false if an operand is NaN; `u` is unordered, true in that case.
#define FAULTLINE_COMPARISONS(X)                                                                                       \
  X(cmp_oeq, 2, decision | equal)                                                                                      \
  X(cmp_ogt, 2, decision | greater)                                                                                    \
  X(cmp_oge, 2, decision | greater | equal)                                                                            \
  X(cmp_olt, 2, decision | less)                                                                                       \
  X(cmp_ole, 2, decision | less | equal)                                                                               \
  X(cmp_one, 2, decision | less | greater)                                                                             \
  X(cmp_ord, 2, decision | less | equal | greater)                                                                     \
  X(cmp_ueq, 2, decision | unordered | equal)                                                                          \
  X(cmp_ugt, 2, decision | unordered | greater)                                                                        \
  X(cmp_uge, 2, decision | unordered | greater | equal)                                                                \
  X(cmp_ult, 2, decision | unordered | less)                                                                           \
  X(cmp_ule, 2, decision | unordered | less | equal)                                                                   \
  X(cmp_une, 2, decision | unordered | less | greater)                                                                 \
  X(cmp_uno, 2, decision | unordered)

#define FAULTLINE_OPERATIONS(X)                                                                                        \
  FAULTLINE_SOURCES(X)                                                                                                 \
  FAULTLINE_ARITHMETIC(X) FAULTLINE_ROUNDINGS(X) FAULTLINE_FUNCTIONS(X) FAULTLINE_COMPARISONS(X)

enum class Op : uint8_t {
#define FAULTLINE_OPERATION_ID(name, arity, traits) name,
  FAULTLINE_OPERATIONS(FAULTLINE_OPERATION_ID)
#undef FAULTLINE_OPERATION_ID
};

// The operations that layers write their own code for, as a separate enumeration with the same values. Where
// is_arithmetic(op), an incomplete `switch (Arithmetic(op))` without a default does not compile (-Werror=switch).
enum class Arithmetic : uint8_t {
#define FAULTLINE_ARITHMETIC_ID(name, arity, traits) name = uint8_t(Op::name),
  FAULTLINE_ARITHMETIC(FAULTLINE_ARITHMETIC_ID)
#undef FAULTLINE_ARITHMETIC_ID
};

// The same for + - * / and sqrt.
enum class Basic : uint8_t {
#define FAULTLINE_BASIC_ID(name, arity, traits) name = uint8_t(Op::name),
  FAULTLINE_BASIC(FAULTLINE_BASIC_ID)
#undef FAULTLINE_BASIC_ID
};

inline constexpr int operation_count = 0
#define FAULTLINE_OPERATION_ONE(name, arity, traits) +1
    FAULTLINE_OPERATIONS(FAULTLINE_OPERATION_ONE)
#undef FAULTLINE_OPERATION_ONE
    ;

namespace trait {
inline constexpr Traits of_operations[] = {
#define FAULTLINE_OPERATION_TRAITS(name, arity, traits) traits,
#define FAULTLINE_ARITHMETIC_TRAITS(name, arity, traits) (traits) | arithmetic,
#define FAULTLINE_ROUNDING_TRAITS(name, arity, traits) (traits) | steps | jumps,
    FAULTLINE_SOURCES(FAULTLINE_OPERATION_TRAITS) FAULTLINE_ARITHMETIC(FAULTLINE_ARITHMETIC_TRAITS)
        FAULTLINE_ROUNDINGS(FAULTLINE_ROUNDING_TRAITS) FAULTLINE_FUNCTIONS(FAULTLINE_OPERATION_TRAITS)
            FAULTLINE_COMPARISONS(FAULTLINE_OPERATION_TRAITS)
#undef FAULTLINE_ROUNDING_TRAITS
#undef FAULTLINE_ARITHMETIC_TRAITS
#undef FAULTLINE_OPERATION_TRAITS
};
} // namespace trait

inline constexpr uint8_t arities[] = {
#define FAULTLINE_OPERATION_ARITY(name, arity, traits) arity,
    FAULTLINE_OPERATIONS(FAULTLINE_OPERATION_ARITY)
#undef FAULTLINE_OPERATION_ARITY
};

std::string_view name(Op);
constexpr int arity(Op op) { return arities[static_cast<uint8_t>(op)]; }

constexpr Traits traits_of(Op op) { return trait::of_operations[static_cast<uint8_t>(op)]; }
// True if the operation has all of these traits.
constexpr bool has(Op op, Traits wanted) { return (traits_of(op) & wanted) == wanted; }

constexpr bool is_leaf(Op op) { return has(op, trait::leaf); }
constexpr bool is_arithmetic(Op op) { return has(op, trait::arithmetic); }
constexpr bool is_basic(Op op) { return has(op, trait::basic); }
constexpr bool is_comparison(Op op) { return (traits_of(op) & trait::any_order) != 0; }
constexpr bool is_decision(Op op) { return has(op, trait::decision); }
constexpr bool is_to_int(Op op) { return has(op, trait::to_int); }
constexpr bool rounds_on_purpose(Op op) { return has(op, trait::intended); }
constexpr bool is_complex_part(Op op) { return has(op, trait::complex_part); }
constexpr bool is_periodic(Op op) { return has(op, trait::periodic); }
constexpr bool is_transcendental(Op op) { return has(op, trait::costly); }
constexpr bool has_integer_operand(Op op) { return has(op, trait::integer_operand); }

using numeric::Rounding;
// Returns the direction in which the operation rounds to an integer. None for operations that do not.
constexpr std::optional<Rounding> rounding_of(Op op) {
  const Traits direction = (traits_of(op) & trait::any_rounding) / trait::to_even;
  return direction != 0 ? std::optional(Rounding(std::countr_zero(direction))) : std::nullopt;
}
// Returns the operation that rounds in this direction to an integer that stays a float.
constexpr Op integer_rounding(Rounding direction) {
  constexpr Op operations[] = {Op::roundeven, Op::round, Op::ceil, Op::floor, Op::trunc}; // in the order of Rounding
  return operations[size_t(direction)];
}
// True if the operation rounds to an integer that stays a float.
constexpr bool rounds_to_integer(Op op) { return rounding_of(op) && !is_to_int(op); }

// Returns the orders of the operands for which the comparison holds.
constexpr Traits orders_of(Op comparison) { return traits_of(comparison) & trait::any_order; }

template <class Number> constexpr Traits order_between(Number a, Number b) {
  return a < b ? trait::less : a > b ? trait::greater : a == b ? trait::equal : trait::unordered;
}

constexpr bool holds(Op comparison, Traits order) { return (traits_of(comparison) & order) != 0; }
// True if the comparison holds when an operand is NaN.
constexpr bool is_unordered(Op comparison) { return has(comparison, trait::unordered); }

// Returns the comparison that holds for these orders; none for no order or all orders.
constexpr Op comparison_for(Traits orders) {
#define FAULTLINE_COMPARISON_FOUND(name, arity, traits)                                                                \
  if (orders_of(Op::name) == orders)                                                                                   \
    return Op::name;
  FAULTLINE_COMPARISONS(FAULTLINE_COMPARISON_FOUND)
#undef FAULTLINE_COMPARISON_FOUND
  return Op::none;
}

// Returns the negation of the comparison.
constexpr Op opposite(Op comparison) { return comparison_for(trait::any_order & ~traits_of(comparison)); }

// Returns the comparison of b with a that is equivalent to this one of a with b.
constexpr Op swapped(Op comparison) {
  const Traits orders = orders_of(comparison);
  return comparison_for((orders & (trait::equal | trait::unordered)) | (orders & trait::less ? trait::greater : 0) |
                        (orders & trait::greater ? trait::less : 0));
}
// Returns the comparison that is false for NaN and otherwise equal to this one. (cmp_uno has none.)
constexpr Op ordered(Op comparison) { return comparison_for(orders_of(comparison) & ~trait::unordered); }

#define FAULTLINE_COMPARISON_CHECK(name, arity, traits)                                                                \
  static_assert(opposite(opposite(Op::name)) == Op::name && swapped(swapped(Op::name)) == Op::name, #name);
FAULTLINE_COMPARISONS(FAULTLINE_COMPARISON_CHECK)
#undef FAULTLINE_COMPARISON_CHECK

// Converts between an addition, subtraction or fma and its counterpart that rounds on purpose. Other operations stay
// unchanged.
constexpr Op rounding_on_purpose(Op op) {
  return op == Op::fadd ? Op::round_add : op == Op::fsub ? Op::round_sub : op == Op::fma ? Op::round_fma : op;
}
constexpr Op without_purpose(Op op) {
  return op == Op::round_add ? Op::fadd : op == Op::round_sub ? Op::fsub : op == Op::round_fma ? Op::fma : op;
}

// The exceptions of IEEE 754 that Faultline detects, as one list of name and text. Inexact is not among them: nearly
// every operation raises it.
#define FAULTLINE_EXCEPTIONS(X)                                                                                        \
  X(overflow, "overflow")                                                                                              \
  X(underflow, "underflow")                                                                                            \
  X(invalid, "invalid")                                                                                                \
  X(divide_by_zero, "divide-by-zero")

enum class Exception : uint8_t {
  none,
#define FAULTLINE_EXCEPTION_ID(name, text) name,
  FAULTLINE_EXCEPTIONS(FAULTLINE_EXCEPTION_ID)
#undef FAULTLINE_EXCEPTION_ID
};

inline constexpr Exception all_exceptions[] = {
#define FAULTLINE_EXCEPTION_LISTED(name, text) Exception::name,
    FAULTLINE_EXCEPTIONS(FAULTLINE_EXCEPTION_LISTED)
#undef FAULTLINE_EXCEPTION_LISTED
};
// Excludes `none`: an array indexed by an Exception has one element more.
inline constexpr int exception_count = int(sizeof(all_exceptions) / sizeof(all_exceptions[0]));

std::string_view name(Exception exception); // the text; "none" for none

} // namespace faultline::ops
