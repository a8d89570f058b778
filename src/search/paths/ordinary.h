// Everyday inputs for the outcomes of decisions: points that are tried at first, questions to the solvers about
// everyday inputs alone, and what was found made simpler in the end.
#pragma once

#include "search/paths/path_question.h"
#include "search/paths/tidy.h"

#include <functional>
#include <utility>
#include <vector>

namespace faultline::search {

class Ordinary {
public:
  using TryInput = std::function<void(const exec::Input&)>;

  Ordinary(Evaluator& evaluator, const Space& space, const std::vector<constraint::InputRange>& inputs,
           const PathsLimits& limits, numeric::Rng rng);

  void try_points(const TryInput& try_input);

  // The question, about everyday inputs, with less effort: if there is no answer, it will be asked about all.
  PathAnswer ask(PathQuestion question);

  // For each of these outcomes that the tree has a run for: a less strange one, if there is any to be had.
  void improve(const PathTree& tree, const std::vector<std::pair<uint32_t, int64_t>>& outcomes,
               const TryInput& try_input);

  uint64_t questions() const { return questions_; }

private:
  void look_elsewhere(const PathTree& tree, uint32_t site, int64_t outcome, const TryInput& try_input);

  Evaluator& evaluator_;
  const Space& space_;
  const PathsLimits& limits_;
  std::vector<constraint::InputRange> inputs_; // everyday ones
  std::vector<long double> constants_;
  Tidier tidier_;
  numeric::Rng rng_;
  uint64_t questions_ = 0;
};

} // namespace faultline::search
