// Plain random search: the peer that every other strategy has to beat. Samples are uniform over the floats, uniform
// over the reals of the range, and (with several inputs) of about the same magnitude, in turn. The best are kept by
// the error that the residues tell, which costs one sweep over the tape and no oracle.
#include "search/random.h"

#include "search/scorer.h"

namespace faultline::search {
namespace {

constexpr uint64_t default_samples = 100'000; // what `faultline bench gsl` gives each strategy it compares
constexpr size_t kept = 24;                   // candidates for the oracle: a guess

} // namespace

std::vector<Candidate> sample_at_random(Quest& quest, uint64_t samples, double share, const char* strategy) {
  Scorer scorer(quest, strategy);
  for (uint64_t i = 0; i < samples && !quest.evaluator.spent(share); ++i) {
    const uint64_t kind = i % (quest.space.dimensions.size() > 1 ? 3 : 2);
    const exec::Input input = kind == 0   ? quest.space.sample_floats(quest.rng)
                              : kind == 1 ? quest.space.sample_reals(quest.rng)
                                          : quest.space.sample_alike(quest.rng);
    if (quest.errors_wanted)
      scorer.keep(input, 0, scorer.score(input).error.relative);
    else
      quest.evaluator.run(input);
  }
  return scorer.best(kept, kept);
}

std::vector<Candidate> search_random(Quest& quest) {
  return sample_at_random(quest, quest.use_all ? ~uint64_t(0) : default_samples, 1, "random");
}

} // namespace faultline::search
