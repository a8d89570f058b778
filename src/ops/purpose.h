// Additions that round on purpose, and plain ones.
#pragma once

#include "ops/op.h"

namespace faultline::ops {

// An addition, a subtraction or an fma, and the operation that is the same but rounds on purpose; others stay what they
// are.
constexpr Op rounding_on_purpose(Op op) {
  return op == Op::fadd ? Op::round_add : op == Op::fsub ? Op::round_sub : op == Op::fma ? Op::round_fma : op;
}
constexpr Op without_purpose(Op op) {
  return op == Op::round_add ? Op::fadd : op == Op::round_sub ? Op::fsub : op == Op::round_fma ? Op::fma : op;
}

} // namespace faultline::ops
