// The instructions that functions usually begin with, carried out on the saved registers: it spares a single step,
// which is half of what a breakpoint costs.
#pragma once

#include <cstdint>
#include <ucontext.h>

namespace faultline::recorder {

// `first` is the byte that the breakpoint hides, `rest` what follows it. False, and nothing is done, if it is another
// instruction than push, endbr64 or the subtraction that makes room on the stack (whose flags nobody looks at).
bool carry_out(uint8_t first, const uint8_t* rest, ucontext_t& context);

} // namespace faultline::recorder
