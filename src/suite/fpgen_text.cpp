#include "suite/fpgen_text.h"

#include "numeric/decimal.h"
#include "report/wording.h"
#include "suite/bench.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

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

namespace {

using report::Align;
using report::Column;
using report::Row;

constexpr const char* nothing = "-";

std::string error_text(double error) { return error > 0 ? report::measure_text(error) : nothing; }

std::string of(size_t part, size_t whole) { return fmt::format("{} of {}", part, whole); }

std::string remarks_of(const FpgenWorst& worst) {
  return fmt::format("{}{}{}", worst.flip ? "branch flip" : "", worst.flip && worst.infinite ? ", " : "",
                     worst.infinite ? "also infinite" : "");
}

// The row of one benchmark. The last columns are the first strategy's.
Row row_of(const FpgenBenchmark& benchmark, const FpgenEvaluation& evaluation) {
  Row row = {benchmark.name};
  for (const FpgenTrial& trial : evaluation.trials) {
    const FpgenResult* result = trial.find(benchmark.name);
    row.push_back(result ? error_text(result->worst.error) : "");
  }
  const FpgenFigures& figures = evaluation.figures_of(benchmark);
  const double limit = evaluation.limit_of(benchmark);
  row.insert(row.end(), {error_text(figures.best()), error_text(figures.fpgen), report::measure_text(limit)});
  const FpgenResult* first = evaluation.trials.front().find(benchmark.name);
  if (first) {
    const std::optional<double> share = share_of_limit(first->worst.error, limit);
    row.insert(row.end(), {share ? fmt::format("{:.2f}", *share) : nothing,
                           first->short_error ? error_text(*first->short_error) : nothing,
                           fmt::format("{:.1f}", first->report.seconds), fmt::format("{}", first->report.evaluations),
                           remarks_of(first->worst)});
  }
  return row;
}

std::string benchmark_table(const FpgenEvaluation& evaluation, const report::Style& style) {
  std::vector<Column> columns = {{"benchmark"}};
  for (const FpgenTrial& trial : evaluation.trials)
    columns.push_back({trial.strategy, Align::right});
  columns.insert(columns.end(), {{"published", Align::right},
                                 {"FPGen", Align::right},
                                 {evaluation.options.nonzero ? "limit, non-zero" : "limit, any", Align::right},
                                 {"log ratio", Align::right},
                                 {"in 2 s", Align::right},
                                 {"seconds", Align::right},
                                 {"evaluations", Align::right},
                                 {""}});
  std::vector<Row> rows;
  for (const FpgenBenchmark& benchmark : evaluation.benchmarks)
    if (std::ranges::any_of(evaluation.trials, [&](const FpgenTrial& trial) { return trial.find(benchmark.name); })) {
      rows.push_back(row_of(benchmark, evaluation));
      rows.back().resize(columns.size());
    }
  return rows.empty() ? "" : report::table(columns, rows, style) + "\n";
}

std::string summary_table(const FpgenEvaluation& evaluation, const report::Style& style) {
  std::vector<Row> rows;
  for (const FpgenTrial& trial : evaluation.trials) {
    const FpgenSummary summary = summary_of(trial, evaluation);
    rows.push_back({summary.strategy, of(summary.reached, summary.benchmarks),
                    of(summary.reached_short, summary.hunted_short), of(summary.near_limit, summary.large),
                    fmt::format("{:.1f}", summary.seconds), fmt::format("{}", summary.evaluations)});
  }
  return report::table({{"strategy"},
                        {"at least the published best", Align::right},
                        {"in 2 s", Align::right},
                        {"at 90 % of the limit's logarithm", Align::right},
                        {"seconds", Align::right},
                        {"evaluations", Align::right}},
                       rows, style) +
         "\n";
}

std::string notes(const FpgenEvaluation& evaluation) {
  std::string text = fmt::format(
      "Errors are |r - r0| / max(FLT_MIN, |r0|), the largest of all outputs; r0 is the code in exact arithmetic{}.\n"
      "Published: the best of four tools in two hours; for 1-norm and 2-norm 2.5e-16 is asked for. Log ratio: "
      "log10(error) / log10(limit).\n"
      "In 2 s: a hunt of its own with that budget. Log ratio, in 2 s, seconds and evaluations are of {}.\n",
      evaluation.options.nonzero ? ", and at least FLT_MIN in magnitude" : "", evaluation.trials.front().strategy);
  text += "Also infinite: on other inputs the computed result is an infinity, and the exact one a number.\n";
  if (evaluation.options.benchmarks.empty())
    text += "The six names that end in -m compute the same values: the results of their twins are used.\n";
  if (evaluation.options.jobs > 1)
    text +=
        fmt::format("{} benchmarks ran at the same time: less is found on loaded cores.\n", evaluation.options.jobs);
  return text;
}

} // namespace

std::string fpgen_text(const FpgenEvaluation& evaluation, const report::Style& style) {
  if (evaluation.trials.empty())
    return "";
  return benchmark_table(evaluation, style) + summary_table(evaluation, style) + notes(evaluation);
}

} // namespace faultline::suite
