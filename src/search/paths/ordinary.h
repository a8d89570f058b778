// Everyday inputs for the outcomes of decisions: points that are tried first, questions to the solvers about everyday
// inputs only, and the simplification of the inputs found.
#pragma once

#include "search/evaluator.h"
#include "search/paths/path_tree.h"
#include "search/space.h"

#include <functional>
#include <utility>
#include <vector>

namespace faultline::search {

// Finds a less strange input (search/paths/path_tree.h) that takes the same decisions: zeros, values that a person
// would choose, few digits. One cell after the other, while it helps. Every attempt is run. Their number depends on the
// length of the runs, not on the clock.
class Tidier {
public:
  Tidier(Evaluator& evaluator, const Space& space, const std::vector<Value>& constants);

  // Returns the input itself if there is none. A run of the result shows every outcome of a decision that the input's
  // run shows.
  exec::Input tidied(const exec::Input& input);

private:
  bool improves(const exec::Input& candidate);
  bool improve_cell(size_t cell, Value value);
  void to_smaller_exponents();
  void to_positive();
  bool to_plain_values();
  bool to_few_digits();
  bool is_free(size_t cell) const { return !space_.dimensions[cell].held(); }

  Evaluator& evaluator_;
  const Space& space_;
  std::vector<std::vector<Value>> values_; // candidates by dimension, the least strange first
  exec::Input best_;
  double strangeness_ = 0; // of the best run
  Outcomes wanted_;
  uint64_t attempts_ = 0; // left for this input
  uint64_t allowance_;    // in records, for all inputs
};

class Ordinary {
public:
  using TryInput = std::function<void(const exec::Input&)>;

  Ordinary(Evaluator& evaluator, const Space& space, const std::vector<constraint::InputRange>& inputs,
           const PathsLimits& limits, numeric::Rng rng);

  void try_points(const TryInput& try_input);

  // Asks the question about everyday inputs, with less effort: without an answer, it is asked about all inputs.
  PathAnswer ask(PathQuestion question);

  // Finds a less strange run for each of these outcomes that the tree has a run for, if possible.
  void improve(const PathTree& tree, const std::vector<std::pair<uint32_t, int64_t>>& outcomes,
               const TryInput& try_input);

  uint64_t questions() const { return questions_; }

private:
  void look_elsewhere(const PathTree& tree, uint32_t site, int64_t outcome, const TryInput& try_input);

  Evaluator& evaluator_;
  const Space& space_;
  const PathsLimits& limits_;
  std::vector<constraint::InputRange> inputs_; // everyday ones
  std::vector<Value> constants_;
  Tidier tidier_;
  numeric::Rng rng_;
  uint64_t questions_ = 0;
};

// Points that are tried before any solving: small integers, halves, powers of ten, the constants of the program and
// their neighbours, the ends and the middle of a range.

// The values of one input, the least strange first; all everyday and within its range. `constants` have no signs.
std::vector<Value> everyday_values(const Dimension& dimension, const std::vector<Value>& constants);

// All combinations of the least strange values of each input and some constants, up to half of `most` points. The other
// half is drawn from all values.
std::vector<exec::Input> everyday_points(const Space& space, const std::vector<Value>& constants, size_t most,
                                         numeric::Rng rng);

} // namespace faultline::search
