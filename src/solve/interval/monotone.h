// Narrowing by monotonicity, the basis of all arithmetic projections.
//
// Rounding is monotone. So on a box where the real operation is monotone in each operand, the floating-point operation
// is too, in the order of numeric/format.h, including signed zeros, subnormals and overflow to infinity. The result is
// then between the values at two corners (the direct projection), and the operand values that can reach a given result
// are an interval, whose ends are found by bisection with the operation itself (the indirect projections). The
// bisection starts at a guess, the real inverse, which is usually off by a few floats. So ends are exact to the last
// bit in every format, without formulas for midpoints, ties and underflow; the slides' formulas (FPSE, "indirect
// projections") are the guess.
//
// Exceptions are single points without a number (inf - inf, 0 * inf, 0 / 0, inf / inf). They are corners of boxes with
// one sign in each operand; next to them the operation is monotone.
#pragma once

#include "solve/interval/domain.h"

#include <array>

namespace faultline::solve {

// Projections: the restrictions that a node imposes on the domains of its result and operands.
//
// A projection never removes a value of a solution of the node's equation within the domains; tests check this on all
// boxes of a tiny format. If the result may be NaN, operands are not narrowed, because the values that give NaN are not
// those that give the numbers of the result.

// The domains of a node's result and operands, narrowed in place.
struct Scope {
  Domain result;
  std::array<Domain, 3> operands;
};

// Projects arithmetic, conversions and functions of libm. `from` is the operands' format; `twice` if both operands are
// one term. Rounding is monotone in every direction, so + - * / fma sqrt and conversions are projected in all five.
void project_operation(Op op, BinaryFormat from, BinaryFormat to, bool twice, Scope& scope,
                       numeric::Rounding rounding = numeric::Rounding::nearest_even);

// Projects comparisons, `same`, classifications and Boolean structure. `operand` is the sort of the (first) operand.
void project_relation(const Node& node, const Sort& operand, Scope& scope);

// Projects any node of a system. An empty domain afterwards means that there is no solution.
void project(const System& system, Term term, Scope& scope);

} // namespace faultline::solve
