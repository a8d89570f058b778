#include "judge/extents/index_arrays.h"

#include "frontend/most_cells.h"

namespace faultline::judge {

std::optional<int64_t> first_index(const StaysWithin& stays_within) {
  constexpr auto far_off = int64_t(frontend::most_cells); // beyond every array, and what small types can hold of it
  const auto all = [](int64_t value) { return [value](uint64_t) { return value; }; };
  if (stays_within(all(far_off)) && stays_within(all(-far_off)))
    return std::nullopt;
  for (const int64_t first : {0, 1})
    if (stays_within([first](uint64_t element) { return first + int64_t(element); }))
      return first;
  return std::nullopt;
}

} // namespace faultline::judge
