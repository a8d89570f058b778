// The bounds suite: the largest absolute error of FPBench's functions over their ranges, proved and found, beside the
// best bounds that others have published (benchmarks/bounds).
#pragma once

#include "finding/bound/bound_report.h"
#include "finding/job.h"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace faultline::suite {

struct BoundsBenchmark {
  std::string name;
  std::vector<std::string> ranges; // x=LO:HI
  double best = 0;                 // the smallest upper bound that was published
  std::string tool;                // whose it is
};

struct BoundsRow {
  BoundsBenchmark benchmark;
  finding::Bounds bounds;

  double proven() const;
  double found() const;
  double to_published() const { return proven() / benchmark.best; }
  double to_found() const { return proven() / found(); }
};

struct BoundsOptions {
  std::vector<std::string> names; // empty: all
  finding::BoundTask task;
};

struct BoundsEvaluation {
  BoundsOptions options;
  std::vector<BoundsRow> rows;

  size_t within(double factor) const; // of the published bound
  double mean_to_found() const;       // geometric
  double seconds() const;
};

// Throws frontend::UserError: there is no such benchmark.
BoundsEvaluation evaluate_bounds(const BoundsOptions& options, const std::function<void(const std::string&)>& on_begin,
                                 const std::atomic<bool>& stop);

std::string bounds_table(const BoundsEvaluation& evaluation);
std::string bounds_csv(const BoundsEvaluation& evaluation);
std::string bounds_json(const BoundsEvaluation& evaluation);

} // namespace faultline::suite
