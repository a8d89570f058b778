// Reader: the operations that turned finite operands into an infinity, a NaN, a subnormal or a zero they should not be
// (Ariadne's definitions, ops/table.h). An operation that merely passes on an infinity or a NaN is not one of them.
#pragma once

#include "ops/table.h"
#include "tape/tape.h"

#include <vector>

namespace faultline::tape {

struct ExceptionEvent {
  uint32_t record = 0;
  ops::Exception kind = ops::Exception::none;
};

// In the order of execution; the first is where Ariadne's run ends.
std::vector<ExceptionEvent> exceptions(const Tape& tape);

ops::Exception exception_of(const Tape& tape, uint32_t index);

// Which records have a part in an output, a comparison or a conversion to an integer. The optimiser lets operations run
// whose results nobody wants (both sides of a conditional expression): what they raise is no fault of the program.
std::vector<bool> used_records(const Tape& tape);

// Can the record have raised one at all? Fast: looks at the result only.
bool may_be_exceptional(const Tape& tape, uint32_t index);

} // namespace faultline::tape
