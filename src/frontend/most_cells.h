// How many numbers an array may have: a limit of layouts, and of --size.
#pragma once

#include <cstdint>

namespace faultline::frontend {

inline constexpr uint64_t most_cells = 1u << 16; // of an array

} // namespace faultline::frontend
