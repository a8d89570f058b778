// The default portfolio, for everyday inputs first (search/everyday.h) and then for the rest. Brackets first: they find
// most, and cost next to nothing. Then what is left of the budget goes to searches that need no danger function:
// samples from everywhere, scored by their residues, and, with several inputs, evolution towards large conditions,
// since lines see less of such a space. With more than a few inputs most of the time goes to FPGen's search, which
// alone knows what to do with arrays. Exceptions that are wanted have a search of their own, Ariadne's. A number of
// evaluations that the user asked for is used up, in rounds that begin with brackets again, between other samples.
// Where small errors count, all that is left goes to a climb to the largest (search/climb.h).
#include "search/climb.h"
#include "search/random.h"
#include "search/strategy.h"

#include <algorithm>
#include <iterator>

namespace faultline::search {
namespace {

constexpr uint64_t unlimited = Evaluator::Allowance::unlimited;

// What the others get. The first three were last cut down with `faultline bench gsl --compare none`, whose figures are
// in docs/gsl.md.
struct Allotment {
  uint64_t evaluations, records;
};
constexpr Allotment one_input{300, 1'500'000}, several_inputs{2'000, 4'000'000}, evolution{6'000, 6'000'000};
constexpr Allotment arrays{unlimited, 120'000'000};        // one or two seconds: a guess
constexpr Allotment everyday_exceptions{3'000, 3'000'000}; // a guess, as is the next
constexpr double everyday_share = 0.5;                     // of the time
constexpr uint64_t before_climb = 4;                       // a part of the time, and of the count: a guess

// Guesses.
constexpr auto a_few = 3;               // float inputs: with more it is array code, and FPGen's
constexpr uint64_t exceptions_part = 4; // of the evaluations that the user asked for
constexpr size_t most_bracketed = 128;  // candidates: each costs the oracle's time
constexpr double most_times_more = 1e6; // records than by default

// Scales with the budget.
uint64_t records_for_arrays(const Evaluator& evaluator) {
  const double times = evaluator.seconds_allowed() / Budget().seconds;
  return uint64_t(double(arrays.records) * std::clamp(times, 1.0, most_times_more));
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

// Among everyday inputs, not for long: most exceptions are elsewhere.
std::vector<Candidate> search_exceptions(Quest& quest) {
  const Allotment allotment = quest.part == Part::everyday ? everyday_exceptions : Allotment{unlimited, unlimited};
  const Evaluator::Allowance allowance(quest.evaluator, allotment.evaluations, allotment.records);
  return search_ariadne(quest);
}

std::vector<Candidate> search_part(Quest& quest) {
  if (!quest.errors_wanted && quest.exceptions_wanted)
    return search_exceptions(quest);
  const uint64_t parts = quest.part == Part::whole ? 1 : 2;
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
    const Evaluator::Allowance allowance(quest.evaluator, allotment.evaluations / parts, allotment.records / parts);
    others = sample_at_random(quest, allotment.evaluations / parts, 1, "random");
  }
  if (quest.exceptions_wanted) {
    const Evaluator::Allowance allowance(
        quest.evaluator, quest.use_all ? quest.evaluator.evaluations_left().value_or(0) / exceptions_part : unlimited,
        unlimited);
    search_exceptions(quest);
  }
  if (free > 1 || quest.use_all) {
    const uint64_t half = quest.evaluator.evaluations_left().value_or(0) / 2;
    const Evaluator::Allowance allowance(
        quest.evaluator, quest.use_all ? std::max(half, evolution.evaluations) : evolution.evaluations / parts,
        quest.use_all ? unlimited : evolution.records / parts);
    add(others, search_atomu(quest));
  }
  if (floats > a_few) {
    const uint64_t half = quest.evaluator.evaluations_left().value_or(0) / 2;
    const Evaluator::Allowance allowance(quest.evaluator, quest.use_all ? half : arrays.evaluations,
                                         quest.use_all ? unlimited : records_for_arrays(quest.evaluator) / parts);
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

} // namespace

namespace {

bool is_in_sight(const std::vector<Candidate>& candidates, double threshold) {
  return std::ranges::any_of(candidates, [&](const Candidate& candidate) { return candidate.score > threshold; });
}

// Rounds of what comes nearer to an error slowly, until one that counts is in sight: samples, and steps from the best
// of them. Everyday inputs and all of them take turns.
void go_on(Quest& quest, std::vector<Candidate>& candidates) {
  constexpr Allotment round{unlimited, 10'000'000}; // a guess
  for (int number = 0; !is_in_sight(candidates, quest.threshold) && !quest.evaluator.spent(); ++number) {
    const bool everyday = quest.everyday && number % 2 == 0;
    Quest part = quest.within(everyday ? *quest.everyday : quest.space, Part::whole);
    part.rng = quest.own_rng("round");
    const uint64_t before = quest.evaluator.evaluations();
    {
      const Evaluator::Allowance allowance(quest.evaluator, round.evaluations, round.records);
      add(candidates, search_bracket(part));
      add(candidates, search_fpgen(part));
    }
    keep_largest(candidates, most_bracketed);
    if (quest.evaluator.evaluations() == before)
      return;
  }
}

std::vector<Candidate> search_parts(Quest& quest) {
  if (!quest.everyday)
    return search_part(quest);
  std::vector<Candidate> candidates;
  {
    const uint64_t left = quest.evaluator.evaluations_left().value_or(unlimited);
    const Evaluator::Allowance allowance(quest.evaluator, quest.use_all ? left / 2 : unlimited, unlimited,
                                         everyday_share);
    Quest everyday = quest.within(*quest.everyday, Part::everyday);
    candidates = search_part(everyday);
  }
  Quest rest = quest.within(quest.space, Part::rest);
  add(candidates, search_part(rest));
  return candidates;
}

} // namespace

std::vector<Candidate> search_auto(Quest& quest) {
  if (!quest.climbs || !quest.errors_wanted) {
    std::vector<Candidate> candidates = search_parts(quest);
    if (quest.goes_on && quest.errors_wanted && !quest.use_all)
      go_on(quest, candidates);
    return candidates;
  }
  std::vector<Candidate> candidates;
  {
    const uint64_t left = quest.evaluator.evaluations_left().value_or(unlimited);
    const Evaluator::Allowance allowance(quest.evaluator, quest.use_all ? left / before_climb : unlimited,
                                         quest.evaluator.records_left() / before_climb, 1.0 / double(before_climb));
    candidates = search_parts(quest);
    if (quest.goes_on && !quest.use_all)
      go_on(quest, candidates);
  }
  add(candidates, climb(quest));
  return candidates;
}

} // namespace faultline::search
