// The FPGen suite's result for people: a table of the benchmarks, and what it comes to.
#pragma once

#include "report/style.h"
#include "suite/fpgen.h"

#include <optional>
#include <string>

namespace faultline::suite {

std::string fpgen_text(const FpgenEvaluation& evaluation, const report::Style& style);

// The FPGen suite's result for scripts: one line for each benchmark and strategy.
//
// relative_error is by FPGen's measure (suite/fpgen.h), relative_error_2s that of the hunt with a budget of two
// seconds. When the whole suite is run, the six -m have lines too: the run of their twin, which the column run_of
// names. An infinite error is written as inf.
std::string fpgen_csv(const FpgenEvaluation& evaluation);

// What the FPGen suite says in one line: a strategy's figures over the benchmarks. An -m that was hunted in beside its
// twin does not count twice.

// How near to the limit an error is: log10(error) / log10(limit). Nothing where the limit is not above 1, or nothing
// was found.
std::optional<double> share_of_limit(double error, double limit);

inline constexpr double near_the_limit = 0.9;

struct FpgenSummary {
  std::string strategy;
  size_t benchmarks = 0;
  size_t reached = 0;       // error at least the best published (FpgenFigures::to_reach)
  size_t reached_short = 0; // the same within two seconds
  size_t hunted_short = 0;  // of so many
  size_t large = 0;         // benchmarks whose limit is above 1
  size_t near_limit = 0;    // and of those, with 90 % of the limit's logarithm
  double seconds = 0;       // of search, all benchmarks
  uint64_t evaluations = 0;
};

// Benchmarks that the trial did not get to are left out.
FpgenSummary summary_of(const FpgenTrial& trial, const FpgenEvaluation& evaluation);

} // namespace faultline::suite
