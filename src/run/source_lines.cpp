#include "run/source_lines.h"

#include <algorithm>
#include <cstdint>
#include <sstream>

namespace faultline::run {

namespace {

constexpr size_t most_cells = 16'000'000; // of the table, a byte each: 4,000 changed lines

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

// Pairs of equal lines in between, by the usual dynamic programme. None if the table is too large.
std::vector<std::pair<size_t, size_t>> common_lines(const std::vector<std::string>& a,
                                                    const std::vector<std::string>& b, size_t begin, size_t end_a,
                                                    size_t end_b) {
  const size_t n = end_a - begin, m = end_b - begin;
  std::vector<std::pair<size_t, size_t>> pairs;
  if ((n + 1) * (m + 1) > most_cells)
    return pairs;
  std::vector<uint16_t> length((n + 1) * (m + 1), 0);
  const auto at = [&](size_t i, size_t j) -> uint16_t& { return length[i * (m + 1) + j]; };
  for (size_t i = n; i-- > 0;)
    for (size_t j = m; j-- > 0;)
      at(i, j) = a[begin + i] == b[begin + j] ? uint16_t(at(i + 1, j + 1) + 1) : std::max(at(i + 1, j), at(i, j + 1));
  for (size_t i = 0, j = 0; i < n && j < m;)
    if (a[begin + i] == b[begin + j])
      pairs.emplace_back(begin + i++, begin + j++);
    else
      at(i + 1, j) >= at(i, j + 1) ? ++i : ++j;
  return pairs;
}

} // namespace

LineMap line_map(const std::string& first, const std::string& second) {
  const std::vector<std::string> a = lines_of(first), b = lines_of(second);
  LineMap map;
  size_t begin = 0, end_a = a.size(), end_b = b.size();
  while (begin < std::min(end_a, end_b) && a[begin] == b[begin])
    ++begin;
  while (end_a > begin && end_b > begin && a[end_a - 1] == b[end_b - 1]) {
    --end_a;
    --end_b;
  }
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0; i < begin; ++i)
    pairs.emplace_back(i, i);
  for (const auto& pair : common_lines(a, b, begin, end_a, end_b))
    pairs.push_back(pair);
  for (size_t i = end_a; i < a.size(); ++i)
    pairs.emplace_back(i, end_b + (i - end_a));
  pairs.emplace_back(a.size(), b.size());
  size_t x = 0, y = 0;
  for (const auto& [i, j] : pairs) {
    const bool rewritten = i - x == j - y;
    for (; x < i; ++x)
      map.changed[0].push_back(int(x + 1));
    for (size_t k = 0; y < j; ++y, ++k) {
      map.changed[1].push_back(int(y + 1));
      if (rewritten)
        map.first_of[int(y + 1)] = map.rewritten[int(y + 1)] = int(i - (j - y) + 1);
    }
    if (j < b.size())
      map.first_of[int(j + 1)] = int(i + 1);
    x = i + 1;
    y = j + 1;
  }
  return map;
}

} // namespace faultline::run
