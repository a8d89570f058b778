// How many numbers an array may have: a limit of layouts, and of --size.
#pragma once

#include <cstdint>

namespace faultline::frontend {

// Of an array. A guess: vectors of 100,000 can be hunted in, and a finding that shows one stays a file to be read.
inline constexpr uint64_t most_cells = 1u << 17;

} // namespace faultline::frontend
