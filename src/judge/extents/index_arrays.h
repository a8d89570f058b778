// Arrays of integers that code takes for indices: pivots, permutations. Searched like other integers they would lead it
// out of its arrays, which is nobody's fault; so they are held at indices that do not.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace faultline::judge {

// Does the code stay within its memory with these integers in the array?
using StaysWithin = std::function<bool(const std::function<int64_t(uint64_t element)>& integers)>;

// With which index the sequence begins that the array is to hold: 0, or 1. Nothing: its integers are data, which may
// have any value, or neither sequence will do.
std::optional<int64_t> first_index(const StaysWithin& stays_within);

} // namespace faultline::judge
