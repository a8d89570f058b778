// The default portfolio. Brackets first: they find most, and cost next to nothing. Then what is left of the budget goes
// to searches that need no danger function: samples from everywhere, scored by their residues, and, with several
// inputs, evolution towards large conditions, since lines see less of such a space. With more than a few inputs most of
// the time goes to FPGen's search, which alone knows what to do with arrays. Exceptions that are wanted have a search
// of their own, Ariadne's. A number of evaluations that the user asked for is used up, in rounds that begin with
// brackets again, between other samples.
#include "search/random.h"
#include "search/strategy.h"

#include <algorithm>
#include <iterator>

namespace faultline::search {
namespace {

// What the others get, in evaluations and records.
struct Allotment {
  uint64_t evaluations, records;
};
constexpr Allotment one_input{300, 1'500'000}, several_inputs{2'000, 4'000'000}, evolution{6'000, 6'000'000},
    arrays{~uint64_t(0) >> 1, 120'000'000}; // one or two seconds
constexpr auto a_few = 3;
constexpr size_t most_bracketed = 128; // each costs the oracle's time

// Scales with the budget.
uint64_t records_for_arrays(const Evaluator& evaluator) {
  constexpr double default_seconds = 10, most = 1e6;
  return uint64_t(double(arrays.records) * std::clamp(evaluator.seconds_allowed() / default_seconds, 1.0, most));
}

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
  if (!quest.errors_wanted && quest.exceptions_wanted)
    return search_ariadne(quest);
  const auto free = std::count_if(quest.space.dimensions.begin(), quest.space.dimensions.end(),
                                  [](const Dimension& dimension) { return !dimension.held(); });
  const auto floats = std::count_if(quest.space.dimensions.begin(), quest.space.dimensions.end(),
                                    [](const Dimension& dimension) { return dimension.floating && !dimension.held(); });
  std::vector<Candidate> bracketed = search_bracket(quest);
  if (free == 0)
    return bracketed;
  std::vector<Candidate> others;
  {
    const Allotment allotment = free > 1 ? several_inputs : one_input;
    const Evaluator::Allowance allowance(quest.evaluator, allotment.evaluations, allotment.records);
    others = sample_at_random(quest, allotment.evaluations, 1, "random");
  }
  if (quest.exceptions_wanted) {
    constexpr uint64_t part = 4;
    const Evaluator::Allowance allowance(
        quest.evaluator, quest.use_all ? quest.evaluator.evaluations_left().value_or(0) / part : ~uint64_t(0) >> 1,
        ~uint64_t(0) >> 1);
    search_ariadne(quest);
  }
  if (free > 1 || quest.use_all) {
    const uint64_t half = quest.evaluator.evaluations_left().value_or(0) / 2;
    const Evaluator::Allowance allowance(quest.evaluator,
                                         quest.use_all ? std::max(half, evolution.evaluations) : evolution.evaluations,
                                         quest.use_all ? ~uint64_t(0) >> 1 : evolution.records);
    add(others, search_atomu(quest));
  }
  if (floats > a_few) {
    const uint64_t half = quest.evaluator.evaluations_left().value_or(0) / 2;
    const Evaluator::Allowance allowance(quest.evaluator, quest.use_all ? half : arrays.evaluations,
                                         quest.use_all ? ~uint64_t(0) >> 1 : records_for_arrays(quest.evaluator));
    add(others, search_fpgen(quest));
  }
  for (uint64_t before = 0; quest.use_all && !quest.evaluator.spent() && quest.evaluator.evaluations() > before;) {
    before = quest.evaluator.evaluations();
    add(bracketed, search_bracket(quest));
    keep_largest(bracketed, most_bracketed);
  }
  add(bracketed, std::move(others));
  return bracketed;
}

} // namespace faultline::search
