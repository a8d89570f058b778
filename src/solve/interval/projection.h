// Projections: what one node says about the domains of its result and of its operands.
//
// A projection never removes a value that is part of a solution of the node's equation within the domains: tests check
// that on all boxes of a tiny format. NaN is set apart: where the result may be NaN, operands stay as they are, since
// the values that lead to NaN are not those that lead to the numbers of the result.
#pragma once

#include "solve/interval/domain.h"

namespace faultline::solve {

// The domains of a node: the result's and its operands', narrowed in place.
struct Scope {
  Domain result;
  std::array<Domain, 3> operands;
};

// Arithmetic, conversions, functions of libm. `from` is the operands' format; `twice` if both operands are one term.
// Rounding is monotone in every direction, so + - * / fma sqrt and conversions are projected in all five.
void project_operation(ops::Op op, constraint::BinaryFormat from, constraint::BinaryFormat to, bool twice, Scope& scope,
                       numeric::Rounding rounding = numeric::Rounding::nearest_even);

// Comparisons, `same`, classifications, Boolean structure. `operand` is the sort of the (first) operand.
void project_relation(const constraint::Node& node, const constraint::Sort& operand, Scope& scope);

// Either, for a node of a system. An empty domain afterwards means that there is no solution.
void project(const constraint::System& system, constraint::Term term, Scope& scope);

} // namespace faultline::solve
