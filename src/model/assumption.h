// --assume: a condition that the legal inputs of a function satisfy, as text and as a tree.
//
//   a < b <= 1            x[i] < x[i+1]          abs(lat) <= 90        sum(p) == 1
//   a + b > c and c > 0   symmetric(A)           norm(q) == 1          i, j, k: every element
//
// A name in an index that is no input stands for all indices for which the elements exist. The name of a whole array
// stands for each of its elements, unless a function takes it as a whole. `==` of floats holds up to rounding: decimal
// probabilities need not add up to exactly 1.
#pragma once

#include "numeric/format.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::model {

enum class Order : uint8_t { less, less_equal, greater, greater_equal, equal, unequal };

bool holds(Order order, numeric::Value left, numeric::Value right);

struct AssumptionTerm {
  enum class Kind : uint8_t { number, input, call, negate, add, subtract, multiply, divide, power };

  // A part of an input's name, with the indices that follow it: p and [i] of p[i].x, A and (i, j) in Fortran.
  struct Part {
    std::string text;
    std::vector<AssumptionTerm> indices = {};
    bool round = false; // Fortran's brackets
  };

  Kind kind = Kind::number;
  size_t column = 0; // in the text, from 0
  numeric::Value number = 0;
  std::string function = {};   // of a call
  std::vector<Part> name = {}; // of an input
  std::vector<AssumptionTerm> operands = {};
};

// left ORDER right, or a predicate, whose call is `left`.
struct AssumptionRelation {
  AssumptionTerm left;
  bool is_predicate = false;
  Order order = Order::less;
  AssumptionTerm right = {};
};

struct Assumption {
  std::string text;
  std::vector<AssumptionRelation> relations; // all of them hold
};

// Functions that take whole arrays. The rest take numbers.
bool takes_arrays(std::string_view function);

// Throws UserError that shows the column.
Assumption assumption_from(const std::string& text);

// The same error for a text that is read well but does not fit the function: `column` from 0.
[[noreturn]] void fail_assumption(const std::string& text, size_t column, const std::string& problem,
                                  const std::string& hint);

} // namespace faultline::model
