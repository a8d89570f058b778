// Comparisons: 0 or 1. "Ordered" ones are false, "unordered" ones true, if an operand is NaN.
#pragma once

#include "ops/forms.h"

namespace faultline::ops {

// The comparison as a function of the order of the operands (-1, 0, 1) and of whether one of them is NaN.
template <class Holds>
constexpr auto native_comparison(Holds) {
  return [](auto a, auto b, auto) -> decltype(a) {
    const bool unordered = a != a || b != b;
    return Holds{}(a < b ? -1 : a > b ? 1 : 0, unordered) ? 1 : 0;
  };
}

template <class Holds>
constexpr auto big_comparison(Holds) {
  return [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr) {
    const bool unordered = mpfr_unordered_p(a, b) != 0;
    const bool holds = Holds{}(unordered ? 0 : mpfr_cmp(a, b), unordered);
    mpfr_set_ui(result, holds ? 1 : 0, MPFR_RNDN);
  };
}

template <class Holds>
constexpr Entry compare(Op op, std::string_view symbol, Holds holds) {
  return {.op = op, .symbol = symbol, .native = native_comparison(holds), .big = big_comparison(holds)};
}

inline constexpr Entry comparison[] = {
    compare(Op::cmp_oeq, "==", [](int order, bool nan) { return !nan && order == 0; }),
    compare(Op::cmp_ogt, ">", [](int order, bool nan) { return !nan && order > 0; }),
    compare(Op::cmp_oge, ">=", [](int order, bool nan) { return !nan && order >= 0; }),
    compare(Op::cmp_olt, "<", [](int order, bool nan) { return !nan && order < 0; }),
    compare(Op::cmp_ole, "<=", [](int order, bool nan) { return !nan && order <= 0; }),
    compare(Op::cmp_one, "islessgreater", [](int order, bool nan) { return !nan && order != 0; }),
    compare(Op::cmp_ord, "isordered", [](int, bool nan) { return !nan; }),
    compare(Op::cmp_ueq, "!islessgreater", [](int order, bool nan) { return nan || order == 0; }),
    compare(Op::cmp_ugt, "!(<=)", [](int order, bool nan) { return nan || order > 0; }),
    compare(Op::cmp_uge, "!(<)", [](int order, bool nan) { return nan || order >= 0; }),
    compare(Op::cmp_ult, "!(>=)", [](int order, bool nan) { return nan || order < 0; }),
    compare(Op::cmp_ule, "!(>)", [](int order, bool nan) { return nan || order <= 0; }),
    compare(Op::cmp_une, "!=", [](int order, bool nan) { return nan || order != 0; }),
    compare(Op::cmp_uno, "isunordered", [](int, bool nan) { return nan; }),
};

} // namespace faultline::ops
