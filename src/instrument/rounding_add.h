// Rounding by adding a large constant, (x + C) - C: the intent is to round, so that exact arithmetic must round, too.
#pragma once

#include "numeric/format.h"

#include <llvm/IR/InstrTypes.h>

namespace faultline::instrument {

// (x + C) whose sum is read back by subtracting C or by looking at its bits. x - C is x + (-C) by now (prepare).
bool is_rounding_add(const llvm::BinaryOperator& add, numeric::Format format);

} // namespace faultline::instrument
