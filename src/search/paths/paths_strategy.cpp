// The strategy `paths`: one candidate for each path of the target, so that code which samples never reach is judged,
// too.
#include "search/paths/paths.h"
#include "search/scorer.h"

namespace faultline::search {
namespace {

constexpr size_t kept = 64; // candidates for the oracle: a guess

} // namespace

std::vector<Candidate> search_paths(Quest& quest) {
  PathsLimits limits;
  limits.every_path = true;
  const Exploration found =
      explore_paths(quest.evaluator, quest.space, quest.evaluator.session().target(), limits, quest.rng);
  Scorer scorer(quest, "paths");
  for (const ExploredPath& path : found.paths)
    scorer.keep(path.input, 0, scorer.score(path.input).error.relative);
  return scorer.best(kept, kept);
}

} // namespace faultline::search
