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

// Not an order number: the value of an operation without a result.
inline constexpr Int128 no_number = Int128(1) << 126;

// An operation on order numbers.
class Function {
public:
  // `from` is the format of the operands, which differs for conversions.
  Function(ops::Op op, constraint::BinaryFormat from, constraint::BinaryFormat to, bool twice = false,
           numeric::Rounding rounding = numeric::Rounding::nearest_even);

  int operands() const { return operands_; }
  Int128 operator()(const std::array<Int128, 3>& at) const;
  // Returns an estimate of operand `which` for the result `result`; no_number if unknown.
  Int128 guess(int which, std::array<Int128, 3> at, Int128 result) const;

private:
  Int128 order(constraint::Bits bits) const { return to_.is_nan(bits) ? no_number : to_.order(bits); }
  Int128 basic(ops::Op op, Int128 a, Int128 b) const;

  ops::Op op_;
  constraint::BinaryFormat from_, to_;
  bool twice_; // both operands are the same term: a function of one operand
  numeric::Rounding rounding_;
  bool correct_; // a function of libm: taken as correctly rounded, by MPFR
  int operands_;
};

// A box on which the function increases (true) or decreases (false) in each operand, and the results of interest.
struct MonotonePiece {
  std::array<Range, 3> operands;
  std::array<bool, 3> up = {true, true, true};
  Range result;
};

// Narrows all ranges of the piece. False if it has no solution.
bool narrow(const Function& function, MonotonePiece& piece);

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
void project_operation(ops::Op op, constraint::BinaryFormat from, constraint::BinaryFormat to, bool twice, Scope& scope,
                       numeric::Rounding rounding = numeric::Rounding::nearest_even);

// Projects comparisons, `same`, classifications and Boolean structure. `operand` is the sort of the (first) operand.
void project_relation(const constraint::Node& node, const constraint::Sort& operand, Scope& scope);

// Projects any node of a system. An empty domain afterwards means that there is no solution.
void project(const constraint::System& system, constraint::Term term, Scope& scope);

} // namespace faultline::solve
