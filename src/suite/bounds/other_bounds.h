// The other functions with published bounds: FPCores (benchmarks/bounds/others.fpcore), whose ranges are their
// preconditions. Beside each stands the smallest bound of anybody, and whose it is.
//
// Some figures hold for stable paths only: inputs for which the run and exact arithmetic take the same branches. What
// is proved here has no such condition, so that they are shown, but not counted.
#pragma once

#include "suite/bounds/bounds.h"

namespace faultline::suite {

struct OtherBound {
  BoundsRow row;
  bool stable_paths_only = false; // what was published
  std::string obstacle;           // why there is no bound; empty: there is
};

struct OtherBounds {
  BoundsOptions options;
  std::vector<OtherBound> rows;

  size_t counted() const;
  size_t within(double factor) const; // of those that count
};

// Throws frontend::UserError: there is no such benchmark.
OtherBounds evaluate_other_bounds(const BoundsOptions& options, const std::function<void(const std::string&)>& on_begin,
                                  const std::atomic<bool>& stop);

std::string other_bounds_table(const OtherBounds& evaluation);
std::string other_bounds_csv(const OtherBounds& evaluation);
std::string other_bounds_json(const OtherBounds& evaluation);

} // namespace faultline::suite
