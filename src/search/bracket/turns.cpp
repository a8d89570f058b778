#include "search/bracket/turns.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace faultline::search {
namespace {

// A third for decisions, a sixth for jumps, at least one: guesses.
size_t most_of(Signal signal, size_t of_spot) {
  switch (signal) {
  case Signal::crossing:
    return of_spot;
  case Signal::decision:
    return (of_spot + 2) / 3;
  default:
    return (of_spot + 5) / 6;
  }
}

// The narrowest, any, the next narrowest, any other ...
std::vector<const Bracket*> mixed(std::vector<const Bracket*> narrow, size_t most, numeric::Rng& rng) {
  std::vector<const Bracket*> any = narrow, chosen;
  std::sort(narrow.begin(), narrow.end(), [](const Bracket* a, const Bracket* b) {
    return std::tuple(a->width, a->low) < std::tuple(b->width, b->low);
  });
  for (size_t i = any.size(); i > 1; --i)
    std::swap(any[i - 1], any[rng.below(i)]);
  for (size_t i = 0; i < 2 * narrow.size() && chosen.size() < most; ++i) {
    const Bracket* next = i % 2 == 0 ? narrow[i / 2] : any[i / 2];
    if (std::find(chosen.begin(), chosen.end(), next) == chosen.end())
      chosen.push_back(next);
  }
  return chosen;
}

} // namespace

std::vector<Bracket> in_turns(const std::vector<Bracket>& brackets, const DangerReader& reader, size_t of_spot,
                              numeric::Rng& rng) {
  std::map<uint32_t, std::vector<const Bracket*>> spots;
  for (const Bracket& bracket : brackets)
    spots[bracket.spot.index].push_back(&bracket);
  using Turn = std::tuple<size_t, Signal, uint32_t, const Bracket*>; // round, what it is, spot
  std::vector<Turn> turns;
  for (auto& [spot, all] : spots) {
    const Signal signal = reader.signal(Spot{spot});
    size_t round = 0;
    for (const Bracket* bracket : mixed(std::move(all), most_of(signal, of_spot), rng))
      turns.emplace_back(round++, signal, spot, bracket);
  }
  std::sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
    return std::tuple(std::get<0>(a), std::get<1>(a), std::get<2>(a)) <
           std::tuple(std::get<0>(b), std::get<1>(b), std::get<2>(b));
  });
  std::vector<Bracket> order;
  for (const Turn& turn : turns)
    order.push_back(*std::get<3>(turn));
  return order;
}

} // namespace faultline::search
