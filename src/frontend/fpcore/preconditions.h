// Do the functions that FPCores become check their preconditions, as far as these are more than ranges? A proof over a
// box needs functions that take all of it, and then holds for those inputs that the precondition admits, too.
#pragma once

#include <cstdint>

namespace faultline::frontend::fpcore {

enum class Preconditions : uint8_t { checked, left_out };

} // namespace faultline::frontend::fpcore
