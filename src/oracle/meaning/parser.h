// From text to an expression. The grammar, loosest first:
//
//   expression  let NAME = expression in expression  |  sum
//   sum         product { (+ | -) product }
//   product     signed { (* | /) signed }
//   signed      - signed  |  + signed  |  power
//   power       primary [ (^ | **) signed ]                     to the right: 2^3^2 is 2^9, -x^2 is -(x^2)
//   primary     NUMBER  |  NAME  |  NAME [ expression ]  |  NAME ( arguments )  |  ( expression )
//   condition   in the first argument of if: comparisons, and, or, not, parentheses
//
// A name is that of a let, sum or integral around it, else of an input, else of a constant. if, sum, prod and integral
// look like calls; the second to the fourth bind a name, their first argument.
#pragma once

#include "oracle/meaning/expression.h"
#include "oracle/meaning/tokens.h"

#include <span>
#include <string>
#include <string_view>

namespace faultline::oracle {

// `inputs`: the names of the target's inputs; x, a[0], a[1], point.x. Throws WrongExpression.
Expression parse_meaning(std::string_view text, std::span<const std::string> inputs);

// The expression with a caret below the place that is wrong.
std::string with_caret(std::string_view text, size_t column);

} // namespace faultline::oracle
