// Operations of a run as people write them.
#pragma once

#include "tape/tape.h"

#include <string>
#include <vector>

namespace faultline::judge {

// "a - b", "cos(a)".
std::string written(ops::Op op, const std::vector<std::string>& operands);

// The value of an operand or result, shortest decimal of its format.
std::string value_text(const tape::Tape& tape, uint32_t operand);

// With values: "1 - 0.999999999999995 = 4.996003610813204e-15".
std::string carried_out(const tape::Tape& tape, uint32_t record);

} // namespace faultline::judge
