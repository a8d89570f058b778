#include "suite/fpgen/fpgen_summary.h"

#include <cmath>

namespace faultline::suite {

std::optional<double> share_of_limit(double error, double limit) {
  if (!(limit > 1) || !(error > 0))
    return std::nullopt;
  return std::log10(error) / std::log10(limit);
}

FpgenSummary summary_of(const FpgenTrial& trial, const FpgenEvaluation& evaluation) {
  FpgenSummary summary;
  summary.strategy = trial.strategy;
  for (const FpgenBenchmark& benchmark : evaluation.benchmarks) {
    const FpgenResult* result = trial.find(benchmark.name);
    if (!result || (!benchmark.twin.empty() && trial.find(benchmark.twin)))
      continue;
    const double limit = evaluation.limit_of(benchmark), to_reach = evaluation.figures_of(benchmark).to_reach();
    ++summary.benchmarks;
    summary.reached += result->worst.error >= to_reach;
    summary.hunted_short += result->short_error.has_value();
    summary.reached_short += result->short_error && *result->short_error >= to_reach;
    summary.large += limit > 1;
    summary.near_limit += share_of_limit(result->worst.error, limit).value_or(0) >= near_the_limit;
    summary.seconds += result->report.seconds;
    summary.evaluations += result->report.evaluations;
  }
  return summary;
}

} // namespace faultline::suite
