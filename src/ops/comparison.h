// Comparisons: 0 or 1. "Ordered" ones are false, "unordered" ones true, if an operand is NaN.
#pragma once

#include "ops/forms.h"
#include "ops/order.h"

namespace faultline::ops {

template <Op op>
constexpr auto native_comparison =
    [](auto a, auto b, auto) -> decltype(a) { return holds(op, order_between(a, b)) ? 1 : 0; };

template <Op op>
constexpr auto big_comparison = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr) {
  const Traits order = mpfr_unordered_p(a, b) ? trait::unordered : order_between(mpfr_cmp(a, b), 0);
  mpfr_set_ui(result, holds(op, order) ? 1 : 0, MPFR_RNDN);
};

template <Op op>
constexpr Entry compare(std::string_view symbol) {
  return {.op = op, .symbol = symbol, .native = native_comparison<op>, .big = big_comparison<op>, .raises = nothing};
}

inline constexpr Entry comparison[] = {
    compare<Op::cmp_oeq>("=="),        compare<Op::cmp_ogt>(">"),
    compare<Op::cmp_oge>(">="),        compare<Op::cmp_olt>("<"),
    compare<Op::cmp_ole>("<="),        compare<Op::cmp_one>("islessgreater"),
    compare<Op::cmp_ord>("isordered"), compare<Op::cmp_ueq>("!islessgreater"),
    compare<Op::cmp_ugt>("!(<=)"),     compare<Op::cmp_uge>("!(<)"),
    compare<Op::cmp_ult>("!(>=)"),     compare<Op::cmp_ule>("!(>)"),
    compare<Op::cmp_une>("!="),        compare<Op::cmp_uno>("isunordered"),
};

} // namespace faultline::ops
