// The default portfolio. Brackets first: they find most, and cost next to nothing. Then what is left of the budget goes
// to searches that need no danger function: samples from everywhere, scored by their residues, and evolution towards
// large conditions. Without a budget of the user's own, one input gets a short look and several get a longer one, since
// lines see less of their space; a budget that was asked for is used up, in rounds that begin with brackets again,
// between other samples.
#include "search/random.h"
#include "search/strategy.h"

#include <algorithm>
#include <iterator>

namespace faultline::search {
namespace {

constexpr uint64_t short_look = 1'000;
constexpr uint64_t long_look = 10'000;
constexpr double look_share = 0.3;     // of a small budget
constexpr size_t most_bracketed = 128; // the oracle's time is somebody's too

void add(std::vector<Candidate>& all, std::vector<Candidate> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void keep_largest(std::vector<Candidate>& candidates, size_t most) {
  if (candidates.size() <= most)
    return;
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.input < b.input;
  });
  candidates.resize(most);
}

} // namespace

std::vector<Candidate> search_auto(Quest& quest) {
  const auto free = std::count_if(quest.space.dimensions.begin(), quest.space.dimensions.end(),
                                  [](const Dimension& dimension) { return !dimension.held(); });
  std::vector<Candidate> bracketed = search_bracket(quest);
  if (free == 0)
    return bracketed;
  std::vector<Candidate> others = sample_at_random(quest, free > 1 ? long_look : short_look, look_share, "random");
  if (free > 1 || quest.use_all)
    add(others, search_atomu(quest));
  for (uint64_t before = 0; quest.use_all && !quest.evaluator.spent() && quest.evaluator.evaluations() > before;) {
    before = quest.evaluator.evaluations();
    add(bracketed, search_bracket(quest));
    keep_largest(bracketed, most_bracketed);
  }
  add(bracketed, std::move(others));
  return bracketed;
}

} // namespace faultline::search
