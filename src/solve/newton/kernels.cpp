#include "solve/newton/kernels.h"

namespace faultline::solve {

using constraint::Form;
using constraint::Node;
using ops::Arithmetic;
using ops::Op;
using Kernel = Compiled::Kernel;

namespace {

Kernel operation_kernel(Op op, bool single) {
  const Kernel by_table = single ? Kernel::table32 : Kernel::table64;
  if (!ops::is_arithmetic(op))
    return by_table;
  switch (Arithmetic(op)) {
  case Arithmetic::fadd:
    return single ? Kernel::add32 : Kernel::add64;
  case Arithmetic::fsub:
    return single ? Kernel::sub32 : Kernel::sub64;
  case Arithmetic::fmul:
    return single ? Kernel::mul32 : Kernel::mul64;
  case Arithmetic::fdiv:
    return single ? Kernel::div32 : Kernel::div64;
  case Arithmetic::sqrt:
    return single ? Kernel::sqrt32 : Kernel::sqrt64;
  case Arithmetic::fneg:
    return Kernel::negate;
  case Arithmetic::fabs:
    return Kernel::magnitude;
  case Arithmetic::fpext:
  case Arithmetic::fptrunc:
    return single ? Kernel::narrow : Kernel::copy;
  case Arithmetic::fma:
  case Arithmetic::remainder:
  case Arithmetic::fmin:
  case Arithmetic::fmax:
  case Arithmetic::fdim:
  case Arithmetic::copysign:
  case Arithmetic::round_add:
  case Arithmetic::round_sub:
  case Arithmetic::round_fma:
    break;
  }
  return by_table;
}

} // namespace

Kernel kernel_of(const Node& node, bool native, bool single) {
  if (node.form == Form::variable)
    return Kernel::variable;
  if (node.form == Form::constant)
    return Kernel::constant;
  if (!native)
    return Kernel::general;
  switch (node.form) {
  case Form::operation:
    return operation_kernel(node.op, single);
  case Form::comparison:
    return Kernel::compare;
  case Form::same:
    return Kernel::identical;
  case Form::classification:
    return Kernel::classify;
  case Form::conjunction:
    return Kernel::both;
  case Form::disjunction:
    return Kernel::either;
  case Form::negation:
    return Kernel::opposite;
  case Form::choice:
    return Kernel::choose;
  default:
    return Kernel::general;
  }
}

} // namespace faultline::solve
