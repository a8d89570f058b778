#include "suite/bounds/bounds.h"

#include "base/clock.h"
#include "certificate/check.h"
#include "finding/certificate/certificate_json.h"
#include "finding/settings/table.h"
#include "frontend/error.h"
#include "hunt/bound.h"
#include "numeric/decimal.h"
#include "suite/csv.h"
#include "suite/subject.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sstream>

namespace faultline::suite {

using finding::ErrorMeasure;
using frontend::status_usage;
using frontend::UserError;

namespace {

std::vector<BoundsBenchmark> benchmarks_in(const std::string& folder) {
  const std::string file = folder + "/published.csv";
  std::ifstream stream(file);
  const Csv csv = parse_csv(std::string{std::istreambuf_iterator<char>(stream), {}}, file);
  std::vector<BoundsBenchmark> benchmarks;
  for (const std::vector<std::string>& row : csv.rows) {
    BoundsBenchmark benchmark{row[csv.column("benchmark")], {}, 0, row[csv.column("best_tool")]};
    std::istringstream ranges(row[csv.column("ranges")]);
    std::copy(std::istream_iterator<std::string>(ranges), {}, std::back_inserter(benchmark.ranges));
    benchmark.best = numeric::parse_double(row[csv.column("best_upper")]).value_or(0);
    if (!(benchmark.best > 0))
      throw UserError(status_usage, fmt::format("{}: {} has no bound", file, benchmark.name));
    benchmarks.push_back(std::move(benchmark));
  }
  return benchmarks;
}

campaign::Options options_for(const BoundsBenchmark& benchmark, const std::string& folder) {
  campaign::Options options;
  options.sources.files = {folder + "/functions.c"};
  options.functions = {benchmark.name};
  finding::Said said;
  said.set("range", benchmark.ranges);
  options.settings = finding::read_settings(said);
  options.without_configuration = true;
  return options;
}

// As a file would be.
CertificateChecked checked(const finding::Certificate& certificate, int threads) {
  const std::string text = finding::certificate_text(certificate);
  const base::Stopwatch watch;
  const certificate::Checked result = certificate::check(finding::parse_certificate(text, "certificate"), threads);
  return {result.boxes, text.size(), watch.seconds(), result.refusal ? result.refusal->reason : ""};
}

} // namespace

double BoundsRow::proven() const {
  return bounds.complete() && !bounds.outputs.empty() ? bounds.outputs.front().of(ErrorMeasure::absolute).proven
                                                      : INFINITY;
}
double BoundsRow::found() const {
  return bounds.outputs.empty() ? 0 : bounds.outputs.front().of(ErrorMeasure::absolute).found;
}

size_t BoundsEvaluation::within(double factor) const {
  return size_t(std::ranges::count_if(rows, [&](const BoundsRow& row) { return row.to_published() <= factor; }));
}

double BoundsEvaluation::mean_to_found() const {
  double sum = 0;
  for (const BoundsRow& row : rows)
    sum += std::log(row.to_found());
  return rows.empty() ? 0 : std::exp(sum / double(rows.size()));
}

double BoundsEvaluation::seconds() const {
  double sum = 0;
  for (const BoundsRow& row : rows)
    sum += row.bounds.seconds;
  return sum;
}

double BoundsEvaluation::proving_seconds() const {
  double sum = 0;
  for (const BoundsRow& row : rows)
    sum += row.bounds.proving_seconds;
  return sum;
}

double BoundsEvaluation::nearly_seconds() const {
  double sum = 0;
  for (const BoundsRow& row : rows)
    sum += row.bounds.nearly_seconds;
  return sum;
}

double BoundsEvaluation::checking_seconds() const {
  double sum = 0;
  for (const BoundsRow& row : rows)
    sum += row.checked ? row.checked->seconds : 0;
  return sum;
}

size_t BoundsEvaluation::refused() const {
  return size_t(
      std::ranges::count_if(rows, [](const BoundsRow& row) { return row.checked && !row.checked->refusal.empty(); }));
}

BoundsEvaluation evaluate_bounds(const BoundsOptions& options, const std::function<void(const std::string&)>& on_begin,
                                 const std::atomic<bool>& stop) {
  const std::string folder = source_folder("benchmarks/bounds");
  const std::vector<BoundsBenchmark> all = benchmarks_in(folder);
  for (const std::string& name : options.names)
    if (std::ranges::none_of(all, [&](const BoundsBenchmark& benchmark) { return benchmark.name == name; }))
      throw UserError(status_usage, fmt::format("there is no benchmark '{}'", name),
                      "faultline bench bounds lists all");
  BoundsEvaluation evaluation{options, {}};
  for (const BoundsBenchmark& benchmark : all) {
    if (stop || (!options.names.empty() && std::ranges::find(options.names, benchmark.name) == options.names.end()))
      continue;
    on_begin(benchmark.name);
    const campaign::Bounded bounded = campaign::bound(
        options_for(benchmark, folder), options.task, [](const auto&) {}, stop);
    evaluation.rows.push_back({benchmark, bounded.report.bounds, {}});
    if (bounded.certificate)
      evaluation.rows.back().checked = checked(*bounded.certificate, options.threads);
  }
  return evaluation;
}

} // namespace faultline::suite
