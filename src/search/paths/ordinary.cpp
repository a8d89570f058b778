#include "search/paths/ordinary.h"

#include "search/everyday.h"
#include "search/paths/everyday_points.h"
#include "search/paths/strangeness.h"
#include "search/sampling.h"

#include <algorithm>

namespace faultline::search {
namespace {

// Guesses; all of them counts, so that the same seed gives the same tests.
constexpr size_t most_points = 3000;              // 11 small integers each for three inputs, and as many others
constexpr uint64_t records_of_points = 2'000'000; // a tenth of a second
constexpr uint64_t share_of_evaluations = 4;      // where their number is limited, points have this part of it
constexpr uint64_t share_of_effort = 4;           // a question about everyday inputs has this part of it
constexpr uint64_t most_questions = 500;
constexpr size_t most_ways = 4; // paths to a decision on which an everyday input is looked for

} // namespace

Ordinary::Ordinary(Evaluator& evaluator, const Space& space, const std::vector<constraint::InputRange>& inputs,
                   const PathsLimits& limits, numeric::Rng rng)
    : evaluator_(evaluator), space_(space), limits_(limits), inputs_(everyday_ranges(inputs, space)),
      constants_(telling_constants(evaluator.session().sites())), tidier_(evaluator, space, constants_), rng_(rng) {}

void Ordinary::try_points(const TryInput& try_input) {
  const Evaluator::FoundBy found_by(evaluator_, "sampling");
  size_t most = most_points;
  if (const auto left = evaluator_.evaluations_left())
    most = std::min<size_t>(most, *left / share_of_evaluations);
  const uint64_t end = evaluator_.records() + records_of_points;
  for (const exec::Input& point : everyday_points(space_, constants_, most, rng_.fork("points"))) {
    if (evaluator_.spent() || evaluator_.records() > end)
      return;
    try_input(point);
  }
}

PathAnswer Ordinary::ask(PathQuestion question) {
  if (questions_ >= most_questions)
    return {};
  question.effort = limits_.effort / share_of_effort;
  PathAnswer answer = search::ask(evaluator_, question, inputs_, limits_, rng_);
  questions_ += answer.asked;
  return answer;
}

void Ordinary::improve(const PathTree& tree, const std::vector<std::pair<uint32_t, int64_t>>& outcomes,
                       const TryInput& try_input) {
  std::vector<exec::Input> tidied; // and those that were found to be tidy
  for (const auto& [site, outcome] : outcomes) {
    if (!tree.covered(site, outcome) || evaluator_.spent())
      continue;
    if (const exec::Input input = *tree.covered(site, outcome); std::ranges::find(tidied, input) == tidied.end()) {
      tidied.push_back(tidier_.tidied(input));
      try_input(tidied.back());
    }
    if (tree.strangeness(site, outcome) >= strange)
      look_elsewhere(tree, site, outcome, try_input);
  }
}

// The run that is known took this way because of an infinity, or by values that nobody uses.
void Ordinary::look_elsewhere(const PathTree& tree, uint32_t site, int64_t outcome, const TryInput& try_input) {
  size_t ways = 0;
  for (size_t i = 0; i < tree.nodes().size() && ways < most_ways; ++i) {
    const PathTree::Node node = tree.nodes()[i]; // a run may add others
    if (node.site != site || evaluator_.spent())
      continue;
    ++ways;
    if (const PathAnswer answer = ask({.node = node, .not_these = {}, .to = outcome}); answer.input) {
      try_input(*answer.input);
      try_input(tidier_.tidied(*answer.input));
      if (tree.strangeness(site, outcome) < strange)
        return;
    }
  }
}

} // namespace faultline::search
