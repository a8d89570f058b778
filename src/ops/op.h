// The names of the operations: one list from which the enumeration, the table and the printed names are expanded.
//
// An operation is what stands on the tape: an arithmetic instruction, a libm call, a conversion or a comparison. What
// an operation *is* (how it is evaluated, differentiated, when it is dangerous, when it raises an exception) is written
// once, in the table (ops/table.h); this header only names it, so that the instrumentation can speak of operations
// without depending on MPFR.
#pragma once

#include <cstdint>
#include <string_view>

namespace faultline::ops {

// name, arity. `leaf`: a value that comes from outside the tape (uninstrumented memory, an integer) and counts as
// exact. `round_add`: the addition of a magic constant whose only purpose is to round to an integer or to a multiple of
// a power of two ((x + 1.5*2^52) - 1.5*2^52); it keeps its native rounding at every precision. The second operand of
// `ldexp`, `powi`, `jn` and `yn` is an integer, recorded as a leaf. `frexp` is the fraction, `modf` the fractional
// part. `modulo` is Fortran's, with the sign of the second operand. `erfcx` is erfc scaled by exp(x^2). `c..._re`,
// `c..._im`: the parts of a function of the complex number whose parts are the operands (ops/complex.h). `to_int*`:
// float to integer, toward zero, to nearest even (lrint) or to nearest away (lround). `decide`: which way an integer
// condition went (instrument/decisions.h); its record may name the integers it compared as operands, but it is not
// computed from them alone, so it has none by its arity.
// clang-format off
#define FAULTLINE_OPERATIONS(X)                                                                                        \
  X(none, 0) X(input, 0) X(leaf, 0)                                                                                    \
  X(fadd, 2) X(fsub, 2) X(fmul, 2) X(fdiv, 2) X(fma, 3) X(sqrt, 1) X(fneg, 1) X(fabs, 1) X(fmin, 2) X(fmax, 2)         \
  X(fdim, 2) X(copysign, 2) X(floor, 1) X(ceil, 1) X(trunc, 1) X(round, 1) X(rint, 1) X(roundeven, 1) X(fmod, 2)       \
  X(remainder, 2) X(modulo, 2) X(ldexp, 2) X(frexp, 1) X(modf, 1) X(logb, 1) X(hypot, 2) X(cbrt, 1)                                 \
  X(exp, 1) X(exp2, 1) X(exp10, 1) X(expm1, 1) X(log, 1) X(log2, 1) X(log10, 1) X(log1p, 1) X(pow, 2) X(powi, 2)       \
  X(sin, 1) X(cos, 1) X(tan, 1) X(asin, 1) X(acos, 1) X(atan, 1) X(atan2, 2)                                           \
  X(sinh, 1) X(cosh, 1) X(tanh, 1) X(asinh, 1) X(acosh, 1) X(atanh, 1)                                                 \
  X(cexp_re, 2) X(cexp_im, 2) X(clog_re, 2) X(csqrt_re, 2) X(csqrt_im, 2) X(csin_re, 2) X(csin_im, 2) X(ccos_re, 2)    \
  X(ccos_im, 2) X(ctan_re, 2) X(ctan_im, 2) X(csinh_re, 2) X(csinh_im, 2) X(ccosh_re, 2) X(ccosh_im, 2)                \
  X(ctanh_re, 2) X(ctanh_im, 2)                                                                                        \
  X(erf, 1) X(erfc, 1) X(erfcx, 1) X(j0, 1) X(j1, 1) X(jn, 2) X(y0, 1) X(y1, 1) X(yn, 2) X(tgamma, 1) X(lgamma, 1)      \
  X(fpext, 1) X(fptrunc, 1) X(round_add, 2) X(to_int, 1) X(to_int_rint, 1) X(to_int_round, 1)                          \
  X(decide, 0)                                                                                                         \
  X(cmp_oeq, 2) X(cmp_ogt, 2) X(cmp_oge, 2) X(cmp_olt, 2) X(cmp_ole, 2) X(cmp_one, 2) X(cmp_ord, 2)                    \
  X(cmp_ueq, 2) X(cmp_ugt, 2) X(cmp_uge, 2) X(cmp_ult, 2) X(cmp_ule, 2) X(cmp_une, 2) X(cmp_uno, 2)
// clang-format on

enum class Op : uint8_t {
#define FAULTLINE_OPERATION_ID(name, arity) name,
  FAULTLINE_OPERATIONS(FAULTLINE_OPERATION_ID)
#undef FAULTLINE_OPERATION_ID
};

inline constexpr int operation_count = 0
#define FAULTLINE_OPERATION_ONE(name, arity) +1
    FAULTLINE_OPERATIONS(FAULTLINE_OPERATION_ONE)
#undef FAULTLINE_OPERATION_ONE
    ;

std::string_view name(Op);
int arity(Op);

constexpr bool is_comparison(Op op) { return op >= Op::cmp_oeq; }
// Is the second operand an integer? It is exact, and has no slope.
constexpr bool has_integer_operand(Op op) { return op == Op::ldexp || op == Op::powi || op == Op::jn || op == Op::yn; }
constexpr bool is_complex_part(Op op) { return op >= Op::cexp_re && op <= Op::ctanh_im; }
constexpr bool is_leaf(Op op) { return op <= Op::leaf; }
constexpr bool rounds_to_integer(Op op) { return op >= Op::floor && op <= Op::roundeven; }
// Computed by a series: in high precision some fifty times as dear as an addition.
constexpr bool is_transcendental(Op op) { return op >= Op::exp && op <= Op::lgamma; }
// What a path is made of: the result is an integer, and the program goes on by it.
constexpr bool is_decision(Op op) { return op >= Op::to_int; }
constexpr bool is_to_int(Op op) { return op == Op::to_int || op == Op::to_int_rint || op == Op::to_int_round; }

} // namespace faultline::ops
