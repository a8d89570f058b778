#include "suite/fpgen/fpgen_csv.h"

#include "numeric/decimal.h"
#include "suite/csv.h"
#include "suite/fpgen/fpgen_summary.h"

#include <fmt/format.h>

namespace faultline::suite {
namespace {

using Cells = std::vector<std::string>;

const Cells titles = {"benchmark",         "strategy",       "relative_error", "seconds",   "evaluations",
                      "relative_error_2s", "published_best", "fpgen",          "limit_any", "limit_nonzero",
                      "share_of_limit",    "nonzero",        "run_of",         "output",    "branch_flip",
                      "infinite",          "outcome",        "input"};

std::string measure(double value) { return numeric::shortest_decimal(value); }

Cells cells_of(const std::string& name, const FpgenBenchmark& run, const FpgenTrial& trial, const FpgenResult& result,
               const FpgenEvaluation& evaluation) {
  const FpgenFigures& figures = evaluation.figures_of(run);
  const std::optional<double> share = share_of_limit(result.worst.error, evaluation.limit_of(run));
  return {name,
          trial.strategy,
          measure(result.worst.error),
          fmt::format("{:.6f}", result.report.seconds),
          fmt::format("{}", result.report.evaluations),
          result.short_error ? measure(*result.short_error) : "",
          measure(figures.best()),
          measure(figures.fpgen),
          measure(figures.limit_any),
          measure(figures.limit_nonzero),
          share ? fmt::format("{:.4f}", *share) : "",
          evaluation.options.nonzero ? "yes" : "no",
          run.name,
          result.worst.output,
          result.worst.flip ? "yes" : "no",
          result.worst.infinite ? "yes" : "no",
          std::string(finding::text(result.report.outcome)),
          result.worst.input};
}

} // namespace

std::string fpgen_csv(const FpgenEvaluation& evaluation) {
  std::string text = csv_line(titles);
  const bool whole = evaluation.options.benchmarks.empty();
  for (const FpgenTrial& trial : evaluation.trials)
    for (const FpgenBenchmark& benchmark : evaluation.benchmarks) {
      const FpgenResult* result = trial.find(benchmark.name);
      if (!result)
        continue;
      text += csv_line(cells_of(benchmark.name, benchmark, trial, *result, evaluation));
      for (const FpgenBenchmark& other : fpgen_benchmarks())
        if (whole && other.twin == benchmark.name)
          text += csv_line(cells_of(other.name, benchmark, trial, *result, evaluation));
    }
  return text;
}

} // namespace faultline::suite
