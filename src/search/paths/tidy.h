// A less strange input (search/paths/strangeness.h) that takes the same decisions: zeros, values that a person would
// have taken, few digits. One cell after the other, as long as something is gained; every attempt is run, and their
// number depends on the length of the runs and not on the clock.
#pragma once

#include "search/evaluator.h"
#include "search/paths/path_tree.h"
#include "search/space.h"

#include <vector>

namespace faultline::search {

class Tidier {
public:
  Tidier(Evaluator& evaluator, const Space& space, const std::vector<long double>& constants);

  // The input itself if there is none. A run of the result shows every outcome of a decision that the input's shows.
  exec::Input tidied(const exec::Input& input);

private:
  bool improves(const exec::Input& candidate);
  bool improve_cell(size_t cell, long double value);
  void to_smaller_exponents();
  void to_positive();
  bool to_plain_values();
  bool to_few_digits();
  bool is_free(size_t cell) const { return !space_.dimensions[cell].held(); }

  Evaluator& evaluator_;
  const Space& space_;
  std::vector<std::vector<long double>> values_; // worth a try, by dimension, the least strange first
  exec::Input best_;
  double strangeness_ = 0; // of the best one's run
  Outcomes wanted_;
  uint64_t attempts_ = 0; // left, for this input
  uint64_t allowance_;    // records, for all inputs
};

} // namespace faultline::search
