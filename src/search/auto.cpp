// The default: a short random search, which finds what is easy, then ATOMU's evolution for the rest.
#include "search/random.h"
#include "search/strategy.h"

#include <iterator>

namespace faultline::search {

std::vector<Candidate> search_auto(Quest& quest) {
  constexpr uint64_t short_search = 10'000;
  constexpr double short_share = 0.3;
  std::vector<Candidate> candidates = sample_at_random(quest, short_search, short_share, "random");
  std::vector<Candidate> evolved = search_atomu(quest);
  candidates.insert(candidates.end(), std::make_move_iterator(evolved.begin()), std::make_move_iterator(evolved.end()));
  return candidates;
}

} // namespace faultline::search
