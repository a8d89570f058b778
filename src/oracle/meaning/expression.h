// The mathematics that a function is meant to compute, as it was read: an expression over the function's inputs in real
// arithmetic. Plain data. Names are resolved: what is left in a tree that was read can be evaluated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace faultline::oracle {

struct Function; // oracle/meaning/functions.h

struct Expression {
  enum class Kind : uint8_t {
    number,   // a decimal in `name`, taken to the letter
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

} // namespace faultline::oracle
