#include "search/zeros.h"

#include <algorithm>

namespace faultline::search {

exec::Input with_zeros(const Space& space, exec::Input input, const std::function<bool(const exec::Input&)>& accepts) {
  std::vector<size_t> cells;
  for (size_t i = 0; i < input.size(); ++i)
    if (!space.dimensions[i].held())
      cells.push_back(i);
  for (size_t length = cells.size(); length > 0; length /= 2)
    for (size_t first = 0; first < cells.size(); first += length) {
      exec::Input candidate = input;
      for (size_t i = first; i < std::min(first + length, cells.size()); ++i)
        candidate[cells[i]] = space.dimensions[cells[i]].nearest(0);
      if (candidate != input && accepts(candidate))
        input = std::move(candidate);
    }
  return input;
}

} // namespace faultline::search
