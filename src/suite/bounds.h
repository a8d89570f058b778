// The bounds suite: the largest absolute error of FPBench's functions over their ranges, proved and found, next to the
// best published bounds (benchmarks/bounds).
#pragma once

#include "finding/bound/bound_report.h"
#include "finding/job.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace faultline::suite {

struct BoundsBenchmark {
  std::string name;
  std::vector<std::string> ranges; // x=LO:HI
  double best = 0;                 // the smallest published upper bound
  std::string tool;                // the tool that proved it
};

// The result of faultline check for a certificate.
struct CertificateChecked {
  uint64_t boxes = 0;
  size_t bytes = 0;   // of the file
  double seconds = 0; // including reading it
  std::string refusal;
};

struct BoundsRow {
  BoundsBenchmark benchmark;
  finding::Bounds bounds;
  std::optional<CertificateChecked> checked; // if requested

  double proven() const;
  double found() const;
  double to_published() const { return proven() / benchmark.best; }
  double to_found() const { return proven() / found(); }
};

struct BoundsOptions {
  std::vector<std::string> names; // empty: all
  finding::BoundTask task;        // with its certificate if it is to be checked
  int threads = 1;                // for checking
};

struct BoundsEvaluation {
  BoundsOptions options;
  std::vector<BoundsRow> rows;

  size_t within(double factor) const; // of the published bound
  double mean_to_found() const;       // geometric
  double seconds() const;
  double proving_seconds() const;
  double nearly_seconds() const;
  double checking_seconds() const;
  size_t refused() const; // number of certificates
};

// Throws frontend::UserError if there is no such benchmark.
BoundsEvaluation evaluate_bounds(const BoundsOptions& options, const std::function<void(const std::string&)>& on_begin,
                                 const std::atomic<bool>& stop);

std::string bounds_table(const BoundsEvaluation& evaluation);
std::string bounds_csv(const BoundsEvaluation& evaluation);
std::string bounds_json(const BoundsEvaluation& evaluation);

// Further functions with published bounds: FPCores (benchmarks/bounds/others.fpcore), whose ranges are their
// preconditions. Each is listed with the smallest published bound and its tool.
//
// Some figures hold only for stable paths: inputs for which the run and exact arithmetic take the same branches. Bounds
// proved here have no such condition, so these figures are shown, but not counted.
struct OtherBound {
  BoundsRow row;
  bool stable_paths_only = false; // the published bound holds for stable paths only
  std::string obstacle;           // why there is no bound; empty: there is one
};

struct OtherBounds {
  BoundsOptions options;
  std::vector<OtherBound> rows;

  size_t counted() const;
  size_t within(double factor) const; // of those that count
};

// Throws frontend::UserError if there is no such benchmark.
OtherBounds evaluate_other_bounds(const BoundsOptions& options, const std::function<void(const std::string&)>& on_begin,
                                  const std::atomic<bool>& stop);

std::string other_bounds_table(const OtherBounds& evaluation);
std::string other_bounds_csv(const OtherBounds& evaluation);
std::string other_bounds_json(const OtherBounds& evaluation);

} // namespace faultline::suite
