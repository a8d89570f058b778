#include "solve/interval/functions.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace faultline::solve {

using ops::Op;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr MonotoneFunction monotone_functions[] = {{Op::exp, true, -infinity, infinity},
                                                   {Op::exp2, true, -infinity, infinity},
                                                   {Op::exp10, true, -infinity, infinity},
                                                   {Op::expm1, true, -infinity, infinity},
                                                   {Op::log, true, -0.0, infinity},
                                                   {Op::log2, true, -0.0, infinity},
                                                   {Op::log10, true, -0.0, infinity},
                                                   {Op::log1p, true, -1, infinity},
                                                   {Op::cbrt, true, -infinity, infinity},
                                                   {Op::asin, true, -1, 1},
                                                   {Op::acos, false, -1, 1},
                                                   {Op::atan, true, -infinity, infinity},
                                                   {Op::sinh, true, -infinity, infinity},
                                                   {Op::tanh, true, -infinity, infinity},
                                                   {Op::asinh, true, -infinity, infinity},
                                                   {Op::acosh, true, 1, infinity},
                                                   {Op::atanh, true, -1, 1},
                                                   {Op::erf, true, -infinity, infinity},
                                                   {Op::erfc, false, -infinity, infinity}};

} // namespace

const MonotoneFunction* monotone_function(Op op) {
  const auto* found = std::find_if(std::begin(monotone_functions), std::end(monotone_functions),
                                   [op](const MonotoneFunction& function) { return function.op == op; });
  return found == std::end(monotone_functions) ? nullptr : found;
}

bool is_inexact_function(Op op) {
  return op == Op::hypot || op == Op::cbrt || (op >= Op::exp && op <= Op::lgamma && op != Op::powi);
}

} // namespace faultline::solve
