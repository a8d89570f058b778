// The functions of libm on intervals: bound/extension.h.
#pragma once

#include "bound/extension.h"

namespace faultline::bound {

Interval elementary(ops::Op op, const Operands& operands);
std::array<Interval, 3> elementary_slopes(ops::Op op, const Operands& operands, const Interval& result);

} // namespace faultline::bound
