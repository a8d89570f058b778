// x * x + y * y + ..., and the same of what the values are changed to: both sides of rules about norms and variances.
#pragma once

#include "explain/sketch.h"

#include <functional>
#include <vector>

namespace faultline::explain {

struct SquareSums {
  Expression before, after;
};

// Of one value at least. Sums of many terms are spelled out to the first.
SquareSums square_sums(Sketch& sketch, const std::vector<uint32_t>& values,
                       const std::function<Expression(const Expression&)>& changed);

} // namespace faultline::explain
