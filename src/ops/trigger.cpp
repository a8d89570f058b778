#include "ops/trigger.h"

#include <cmath>

namespace faultline::ops {

bool holds(const Condition& condition, numeric::Value x, numeric::Format format) {
  switch (condition.relation) {
  case Relation::below:
    return x < condition.value;
  case Relation::above:
    return x > condition.value;
  case Relation::at_least:
    return x >= condition.value;
  case Relation::at_most:
    return x <= condition.value;
  case Relation::beyond:
    return std::fabs(x) > condition.value;
  case Relation::equal:
    return x == condition.value;
  case Relation::unequal:
    return x != condition.value;
  case Relation::whole:
    return x == std::rint(x);
  case Relation::broken:
    return x != std::rint(x);
  case Relation::infinite:
    return std::isinf(x);
  case Relation::tiny:
    return std::fabs(x) < std::ldexp(1.0L, numeric::info(format).min_exponent);
  }
  return false;
}

} // namespace faultline::ops
