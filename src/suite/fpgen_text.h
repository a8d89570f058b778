// The FPGen suite's result for people: a table of the benchmarks, and a summary.
#pragma once

#include "report/style.h"
#include "suite/fpgen.h"

#include <optional>
#include <string>

namespace faultline::suite {

std::string fpgen_text(const FpgenEvaluation& evaluation, const report::Style& style);

// The FPGen suite's result for scripts: one line per benchmark and strategy.
//
// relative_error is by FPGen's measure (suite/fpgen.h); relative_error_2s is that of the hunt with a budget of two
// seconds. If the whole suite is run, the six -m have lines too: the run of their twin, which the column run_of names.
// An infinite error is written as inf.
std::string fpgen_csv(const FpgenEvaluation& evaluation);

// The summary of the FPGen suite: a strategy's figures over the benchmarks. An -m that was run in addition to its twin
// does not count twice.

// How close an error is to the limit: log10(error) / log10(limit). Nothing if the limit is not above 1 or nothing was
// found.
std::optional<double> share_of_limit(double error, double limit);

inline constexpr double near_the_limit = 0.9;

struct FpgenSummary {
  std::string strategy;
  size_t benchmarks = 0;
  size_t reached = 0;       // benchmarks with an error of at least the best published one (FpgenFigures::to_reach)
  size_t reached_short = 0; // the same within two seconds
  size_t hunted_short = 0;  // number of benchmarks run with two seconds
  size_t large = 0;         // benchmarks whose limit is above 1
  size_t near_limit = 0;    // of `large`: with 90 % of the limit's logarithm
  double seconds = 0;       // of search, over all benchmarks
  uint64_t evaluations = 0;
};

// Omits benchmarks that the trial did not reach.
FpgenSummary summary_of(const FpgenTrial& trial, const FpgenEvaluation& evaluation);

} // namespace faultline::suite
