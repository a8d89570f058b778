#include "solve/newton/kernels.h"

namespace faultline::solve {

using constraint::Form;
using constraint::Node;
using ops::Op;
using Kernel = Compiled::Kernel;

namespace {

Kernel operation_kernel(Op op, bool single) {
  switch (op) {
  case Op::fadd:
    return single ? Kernel::add32 : Kernel::add64;
  case Op::fsub:
    return single ? Kernel::sub32 : Kernel::sub64;
  case Op::fmul:
    return single ? Kernel::mul32 : Kernel::mul64;
  case Op::fdiv:
    return single ? Kernel::div32 : Kernel::div64;
  case Op::sqrt:
    return single ? Kernel::sqrt32 : Kernel::sqrt64;
  case Op::fneg:
    return Kernel::negate;
  case Op::fabs:
    return Kernel::magnitude;
  case Op::fpext:
  case Op::fptrunc:
    return single ? Kernel::narrow : Kernel::copy;
  default:
    return single ? Kernel::table32 : Kernel::table64;
  }
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
