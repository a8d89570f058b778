// Sorts and keeps the order of equal elements. std::stable_sort of libstdc++ 12 calls std::get_temporary_buffer, which
// is deprecated, so clang warns. A merge is also safe with inconsistent comparisons, such as those of NaNs.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

namespace faultline::numeric {

template <class T, class Less = std::ranges::less, class Projection = std::identity>
void sort_stably(std::vector<T>& values, Less less = {}, Projection projection = {}) {
  const auto before = [&](const T& a, const T& b) {
    return std::invoke(less, std::invoke(projection, a), std::invoke(projection, b));
  };
  std::vector<T> merged;
  merged.reserve(values.size());
  for (size_t width = 1; width < values.size(); width *= 2) {
    const auto at = [&](size_t index) {
      return std::make_move_iterator(values.begin() + std::ptrdiff_t(std::min(index, values.size())));
    };
    merged.clear();
    for (size_t begin = 0; begin < values.size(); begin += 2 * width)
      std::merge(at(begin), at(begin + width), at(begin + width), at(begin + 2 * width), std::back_inserter(merged),
                 before);
    values.swap(merged);
  }
}

} // namespace faultline::numeric
