// The names of the operations: one list from which the enumeration, the table and the printed names are expanded.
//
// An operation is what stands on the tape: an arithmetic instruction, a libm call, a conversion or a comparison. What
// an operation *is* (how it is evaluated, differentiated, when it is dangerous, when it raises an exception) is written
// once, in the table (ops/table.h); this header only names it and says what sort of thing it is, so that the
// instrumentation can speak of operations without depending on MPFR.
//
// The list has five parts, and each has its own means against an operation that some layer forgets:
//   sources      nothing is computed.
//   arithmetic   what layers write their own code for: a switch over `Arithmetic`, without a default.
//   roundings    data: a switch over `Rounding`, without a default.
//   functions    their entry in the table says all: columns that have to be filled in, or that a test asks for.
//   comparisons  data: the orders of the operands for which they hold (ops/op.h).
#pragma once

#include <cstdint>
#include <string_view>

namespace faultline::ops {

// What sort of thing an operation is, as a set of bits: the third column of the list.
using Traits = uint32_t;
namespace trait {
inline constexpr Traits plain = 0;

// Comparisons: the orders of the operands for which they hold.
inline constexpr Traits less = 1 << 0, equal = 1 << 1, greater = 1 << 2, unordered = 1 << 3;
inline constexpr Traits any_order = less | equal | greater | unordered;

// Roundings: which integer is taken.
inline constexpr Traits down = 1 << 4, up = 1 << 5, toward_zero = 1 << 6, to_even = 1 << 7, away = 1 << 8;
inline constexpr Traits any_rounding = down | up | toward_zero | to_even | away;
inline constexpr Traits to_int = 1 << 9; // the result is an integer of the program

// What a path is made of: the result is an integer, and the program goes on by it.
inline constexpr Traits decision = 1 << 10;
// A value that comes from elsewhere.
inline constexpr Traits leaf = 1 << 11;
inline constexpr Traits arithmetic = 1 << 12, basic = 1 << 25 | arithmetic;

// The second operand is an integer: exact, and without a slope.
inline constexpr Traits integer_operand = 1 << 13;
// Computed by a series: in high precision some fifty times as expensive as an addition.
inline constexpr Traits costly = 1 << 14;
// One of libm that is rounded somehow: neither exact nor IEEE 754's.
inline constexpr Traits approximate = 1 << 15;
inline constexpr Traits function = costly | approximate;

// The result is an operand or its negative, or keeps its native rounding at every precision: nothing is rounded away.
inline constexpr Traits exact = 1 << 16;
// An error of an operand passes on as it is, or not at all: all partials are 1, -1 or 0.
inline constexpr Traits isometric = 1 << 24;
// Constant between jumps: all partials are 0.
inline constexpr Traits steps = 1 << 17;
// An error of an operand may be of no consequence, or of all.
inline constexpr Traits jumps = 1 << 18;
// Without poles, roots or jumps nearby, whatever the operand: an error of the operand counts in absolute terms, even
// where no digit of it is right (exp of what is zero in exact arithmetic).
inline constexpr Traits entire = 1 << 19;
// Reduces its operand modulo something: in MPFR with as many bits as the operand has before its point.
inline constexpr Traits reduces = 1 << 20;
// Goes up and down without end: no slope reaches far.
inline constexpr Traits oscillates = 1 << 21 | reduces;
inline constexpr Traits periodic = 1 << 22 | oscillates;
inline constexpr Traits complex_part = 1 << 23 | oscillates; // it reduces both operands
// Rounds on purpose: it keeps its native rounding at every precision.
inline constexpr Traits intended = 1 << 26 | exact | jumps | steps;
} // namespace trait

// name, arity, traits.

// `leaf`: a value that comes from outside the tape (uninstrumented memory, an integer) and counts as exact. `decide`:
// which way an integer condition went (instrument/decisions.h); its record may name the integers it compared as
// operands, but it is not computed from them alone, so it has none by its arity.
// clang-format off
#define FAULTLINE_SOURCES(X)                                                                                           \
  X(none, 0, leaf) X(input, 0, leaf) X(leaf, 0, leaf) X(decide, 0, decision)
// clang-format on

// Correctly rounded, with a rounding error that is a float itself, or nearly (numeric/eft.h).
#define FAULTLINE_BASIC(X)                                                                                             \
  X(fadd, 2, basic | isometric)                                                                                        \
  X(fsub, 2, basic | isometric)                                                                                        \
  X(fmul, 2, basic)                                                                                                    \
  X(fdiv, 2, basic)                                                                                                    \
  X(sqrt, 1, basic)

// `round_add`, `round_sub`, `round_fma`: an addition of a large constant whose only purpose is to round to an integer
// or to a multiple of a power of two ((x + 1.5*2^52) - 1.5*2^52). Runs tell which additions these are
// (tape/intended.h).
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

// To an integer that is a float still, or (`to_int*`) to one of the program: toward zero, to nearest even (lrint) or to
// nearest away (lround).
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

// LLVM's: `o` for ordered, false if an operand is NaN; `u` for unordered, true then.
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

// The part of the list that layers write their own code for, as an enumeration of its own with the same values: where
// is_arithmetic(op), `switch (Arithmetic(op))` without a default does not compile (-Werror=switch) before it is
// complete.
enum class Arithmetic : uint8_t {
#define FAULTLINE_ARITHMETIC_ID(name, arity, traits) name = uint8_t(Op::name),
  FAULTLINE_ARITHMETIC(FAULTLINE_ARITHMETIC_ID)
#undef FAULTLINE_ARITHMETIC_ID
};

// + - * / and the root among them, likewise.
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
// All of the traits asked for.
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

enum class Rounding : uint8_t { none, down, up, toward_zero, to_even, away };
// How the operation rounds to an integer, if that is what it does.
constexpr Rounding rounding_of(Op op) {
  const Traits traits = traits_of(op);
  return traits & trait::down          ? Rounding::down
         : traits & trait::up          ? Rounding::up
         : traits & trait::toward_zero ? Rounding::toward_zero
         : traits & trait::to_even     ? Rounding::to_even
         : traits & trait::away        ? Rounding::away
                                       : Rounding::none;
}
// The operation that rounds in this direction to an integer that stays a float.
constexpr Op integer_rounding(Rounding direction) {
  switch (direction) {
  case Rounding::down:
    return Op::floor;
  case Rounding::up:
    return Op::ceil;
  case Rounding::toward_zero:
    return Op::trunc;
  case Rounding::to_even:
    return Op::roundeven;
  case Rounding::away:
    return Op::round;
  case Rounding::none:
    break;
  }
  return Op::none;
}
// To an integer that stays a float.
constexpr bool rounds_to_integer(Op op) { return rounding_of(op) != Rounding::none && !is_to_int(op); }

// Comparisons as data: the set of orders of the operands for which each holds.
constexpr Traits orders_of(Op comparison) { return traits_of(comparison) & trait::any_order; }

template <class Number>
constexpr Traits order_between(Number a, Number b) {
  return a < b ? trait::less : a > b ? trait::greater : a == b ? trait::equal : trait::unordered;
}

constexpr bool holds(Op comparison, Traits order) { return (traits_of(comparison) & order) != 0; }
// Does it hold if an operand is NaN?
constexpr bool is_unordered(Op comparison) { return has(comparison, trait::unordered); }

// The comparison that holds for these orders; there is none for none and for all, which compare nothing.
constexpr Op comparison_for(Traits orders) {
#define FAULTLINE_COMPARISON_FOUND(name, arity, traits)                                                                \
  if (orders_of(Op::name) == orders)                                                                                   \
    return Op::name;
  FAULTLINE_COMPARISONS(FAULTLINE_COMPARISON_FOUND)
#undef FAULTLINE_COMPARISON_FOUND
  return Op::none;
}

// The comparison that holds exactly where this one does not.
constexpr Op opposite(Op comparison) { return comparison_for(trait::any_order & ~traits_of(comparison)); }

// The comparison of b with a that says the same as this one of a with b.
constexpr Op swapped(Op comparison) {
  const Traits orders = orders_of(comparison);
  return comparison_for((orders & (trait::equal | trait::unordered)) | (orders & trait::less ? trait::greater : 0) |
                        (orders & trait::greater ? trait::less : 0));
}
// The one that differs from it at NaN alone, and does not hold there. (Of cmp_uno there is none.)
constexpr Op ordered(Op comparison) { return comparison_for(orders_of(comparison) & ~trait::unordered); }

#define FAULTLINE_COMPARISON_CHECK(name, arity, traits)                                                                \
  static_assert(opposite(opposite(Op::name)) == Op::name && swapped(swapped(Op::name)) == Op::name, #name);
FAULTLINE_COMPARISONS(FAULTLINE_COMPARISON_CHECK)
#undef FAULTLINE_COMPARISON_CHECK

// Additions that round on purpose, and plain ones.

// An addition, a subtraction or an fma, and the operation that is the same but rounds on purpose; others stay what they
// are.
constexpr Op rounding_on_purpose(Op op) {
  return op == Op::fadd ? Op::round_add : op == Op::fsub ? Op::round_sub : op == Op::fma ? Op::round_fma : op;
}
constexpr Op without_purpose(Op op) {
  return op == Op::round_add ? Op::fadd : op == Op::round_sub ? Op::fsub : op == Op::round_fma ? Op::fma : op;
}

// The exceptions of IEEE 754 that are looked for (inexact is none: nearly every operation is): one list of name and
// text.
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
// `none` is not one of them: an array that is indexed by an Exception has one element more.
inline constexpr int exception_count = int(sizeof(all_exceptions) / sizeof(all_exceptions[0]));

std::string_view name(Exception exception); // the text; "none" of none

} // namespace faultline::ops
