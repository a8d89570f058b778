#include "search/fpgen/elites.h"

#include <algorithm>
#include <cmath>

namespace faultline::search {
namespace {

// Guesses; `faultline bench fpgen` shows what they find.
constexpr size_t kept = 12;
constexpr int binades = 32; // of the absolute error that are one size: a kind for each suspect and size

} // namespace

void Elites::add(const Found& found) {
  const double size = error_of(found.error, aim_);
  if (!(size > 0))
    return;
  if (best_.size() == kept && size <= error(best_.back()))
    return;
  const auto place = std::find_if(best_.begin(), best_.end(), [&](const Elite& other) { return size >= error(other); });
  if (place != best_.end() && error(*place) == size)
    return; // of those with the same error, one
  best_.insert(place, {found, 0});
  if (best_.size() > kept)
    best_.pop_back();
}

void Elites::add(const Found& found, uint32_t suspect) {
  const double size = error_of(found.error, aim_);
  if (!(size > 0))
    return;
  const int exponent = int(std::floor(std::log2(std::max(found.error.absolute, 0x1p-1074)) / binades));
  const auto [place, is_new] = kinds_.try_emplace({suspect, exponent}, Elite{found, 0});
  if (!is_new && size > error(place->second))
    place->second = {found, 0};
}

Elites::Elite* Elites::next(std::vector<Elite>& from) {
  const auto least = std::min_element(from.begin(), from.end(),
                                      [](const Elite& a, const Elite& b) { return a.worked_on < b.worked_on; });
  return least == from.end() ? nullptr : &*least;
}

std::map<uint32_t, Found> Elites::best_of_suspects() const {
  std::map<uint32_t, Found> best;
  for (const auto& [kind, elite] : kinds_)
    if (const auto [place, is_new] = best.try_emplace(kind.first, elite.found);
        !is_new && error(elite) > error_of(place->second.error, aim_))
      place->second = elite.found;
  return best;
}

Elites::Elite* Elites::next_of_kinds() {
  Elite* least = nullptr;
  for (auto& [kind, elite] : kinds_)
    if (!least || elite.worked_on < least->worked_on ||
        (elite.worked_on == least->worked_on && error(elite) > error(*least)))
      least = &elite;
  return least;
}

} // namespace faultline::search
