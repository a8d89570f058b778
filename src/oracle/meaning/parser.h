// Parses the text of an expression. The grammar, loosest first:
//
//   expression  let NAME = expression in expression  |  sum
//   sum         product { (+ | -) product }
//   product     signed { (* | /) signed }
//   signed      - signed  |  + signed  |  power
//   power       primary [ (^ | **) signed ]                     to the right: 2^3^2 is 2^9, -x^2 is -(x^2)
//   primary     NUMBER  |  NAME  |  NAME [ expression ]  |  NAME ( arguments )  |  ( expression )
//   condition   in the first argument of if: comparisons, and, or, not, parentheses
//
// A name refers to the innermost let, sum or integral that defines it, else to an input, else to a constant. if, sum,
// prod and integral look like calls; all but if bind a name, their first argument.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::oracle {

// The mathematics that a function should compute, after parsing: an expression over the function's inputs in real
// arithmetic. Plain data. Names are resolved, so every parsed tree can be evaluated.
struct Function; // oracle/meaning/functions.h

struct Expression {
  enum class Kind : uint8_t {
    number,   // a decimal in `name`, exact
    constant, // pi, e, euler, catalan, j; undefined, which has no value
    input,    // `index` into the target's inputs
    element,  // `name`[parts[0]]: an input whose index is computed
    variable, // `index` counts from the outermost let, sum or integral
    negate,
    add,
    subtract,
    multiply,
    divide,
    power,
    call,     // of `function`
    choose,   // if(parts[0], parts[1], parts[2])
    let,      // let NAME = parts[0] in parts[1]
    sum,      // sum(NAME, parts[0], parts[1], parts[2])
    product,  // the same
    integral, // the same
    less,     // conditions: only as the first part of an if
    less_equal,
    equal,
    unequal,
    both,
    either,
    opposite,
  };
  Kind kind = Kind::number;
  std::string name = {};
  size_t index = 0;
  const Function* function = nullptr;
  std::vector<Expression> parts = {};
};

// An error in an expression, with its position.
struct WrongExpression {
  std::string what;
  size_t column = 0;
  std::string cure; // a suggestion
};

// `inputs` holds the names of the target's inputs: x, a[0], a[1], point.x. Throws WrongExpression.
Expression parse_meaning(std::string_view text, std::span<const std::string> inputs);

// Returns the expression with a caret below the error.
std::string with_caret(std::string_view text, size_t column);

} // namespace faultline::oracle
