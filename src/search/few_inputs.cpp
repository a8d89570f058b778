#include "search/few_inputs.h"

#include "search/scorer.h"

#include <algorithm>
#include <numeric>

namespace faultline::search {

using numeric::Int128;

namespace {

// Candidates for the oracle, the largest errors and any: guesses.
constexpr size_t kept = 64, most_shown = 32;

} // namespace

std::optional<uint64_t> number_of_inputs(const Space& space) {
  uint64_t number = 1;
  for (const Dimension& dimension : space.dimensions) {
    const Int128 values = dimension.order(dimension.high) - dimension.order(dimension.low) + 1;
    if (values < 1 || values > Int128(few_inputs / number))
      return std::nullopt;
    number *= uint64_t(values);
  }
  return number;
}

exec::Input input_of_number(const Space& space, uint64_t n) {
  exec::Input input;
  for (const Dimension& dimension : space.dimensions) {
    const Int128 low = dimension.order(dimension.low);
    const auto values = uint64_t(dimension.order(dimension.high) - low + 1);
    input.push_back(dimension.at(low + Int128(n % values)));
    n /= values;
  }
  return input;
}

std::vector<Candidate> try_all_inputs(Quest& quest) {
  const uint64_t number = number_of_inputs(quest.space).value_or(0);
  std::vector<uint64_t> order(number);
  std::iota(order.begin(), order.end(), 0);
  for (uint64_t i = number; i > 1; --i)
    std::swap(order[i - 1], order[quest.rng.below(i)]);
  Scorer scorer(quest, "exhaustive");
  size_t shown = 0;
  for (const uint64_t n : order) {
    if (scorer.spent())
      break;
    const exec::Input input = input_of_number(quest.space, n);
    const Scorer::Scored scored = scorer.score(input);
    scorer.keep(input, 0, scored.error.relative);
    if (scored.usable && ++shown <= most_shown)
      scorer.insist(input, 0, std::max(scored.error.relative, least_score));
  }
  return scorer.best(kept + most_shown, kept + most_shown);
}

} // namespace faultline::search
