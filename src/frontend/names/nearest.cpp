#include "frontend/names/nearest.h"

#include <algorithm>

namespace faultline::frontend {
namespace {

// Levenshtein's distance, one row at a time.
size_t distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

} // namespace

std::vector<std::string> nearest(const std::string& wrong, const std::vector<std::string>& names, size_t most) {
  const std::string word = wrong.substr(0, 100);
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const std::string& name : names) {
    const bool begins = word.size() >= 3 && name.starts_with(word);
    const size_t far = begins ? 0 : distance(word, name);
    if (far <= std::max<size_t>(1, name.size() / 2))
      ranked.emplace_back(far, name);
  }
  std::ranges::sort(ranked);
  std::vector<std::string> result;
  constexpr size_t much_further = 3; // letters: a name like that is another word
  for (size_t i = 0; i < ranked.size() && i < most && ranked[i].first <= ranked[0].first + much_further; ++i)
    result.push_back(ranked[i].second);
  return result;
}

} // namespace faultline::frontend
