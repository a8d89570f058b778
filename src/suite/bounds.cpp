#include "suite/bounds.h"

#include "base/clock.h"
#include "certificate/check.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "finding/certificate.h"
#include "finding/json/finding_json.h"
#include "finding/settings/table.h"
#include "finding/settings/values.h"
#include "frontend/error.h"
#include "hunt/bound.h"
#include "numeric/decimal.h"
#include "report/style.h"
#include "suite/bench.h"
#include "suite/subject.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace faultline::suite {

using finding::ErrorMeasure;
using finding::Json;
using frontend::status_usage;
using frontend::UserError;
using report::Align;

namespace {

constexpr double near = 1.1; // ratio to the best published bound that counts as equally good

std::vector<OtherBound> published_in(const std::string& file) {
  std::ifstream stream(file);
  const Csv csv = parse_csv(std::string{std::istreambuf_iterator<char>(stream), {}}, file);
  std::vector<OtherBound> all;
  for (const std::vector<std::string>& row : csv.rows) {
    OtherBound one;
    one.row.benchmark.name = row[csv.column("benchmark")];
    one.row.benchmark.tool = row[csv.column("best_tool")];
    one.row.benchmark.best = numeric::parse_double(row[csv.column("best_upper")]).value_or(0);
    one.stable_paths_only = row[csv.column("stable_paths_only")] == "yes";
    if (!(one.row.benchmark.best > 0))
      throw UserError(status_usage, fmt::format("{}: {} has no bound", file, one.row.benchmark.name));
    all.push_back(std::move(one));
  }
  return all;
}

campaign::Options options_for(const std::string& name, const std::string& folder) {
  campaign::Options options;
  options.sources.files = {folder + "/others.fpcore"};
  options.sources.preconditions = frontend::fpcore::Preconditions::left_out;
  options.functions = {name};
  options.without_configuration = true;
  return options;
}

std::string open_reason(const finding::Bounds& bounds) {
  if (bounds.complete())
    return "";
  return bounds.unproven_samples.empty() ? "not proved" : bounds.unproven_samples.front().reason;
}

std::string proven_text(const OtherBound& one) {
  return one.obstacle.empty() ? fmt::format("{:.3e}", one.row.proven()) : "-";
}

} // namespace

size_t OtherBounds::counted() const {
  return rows.size() - size_t(std::ranges::count_if(rows, &OtherBound::stable_paths_only));
}

size_t OtherBounds::within(double factor) const {
  return size_t(std::ranges::count_if(rows, [&](const OtherBound& one) {
    return !one.stable_paths_only && one.obstacle.empty() && one.row.to_published() <= factor;
  }));
}

OtherBounds evaluate_other_bounds(const BoundsOptions& options, const std::function<void(const std::string&)>& on_begin,
                                  const std::atomic<bool>& stop) {
  const std::string folder = source_folder("benchmarks/bounds");
  std::vector<OtherBound> all = published_in(folder + "/others.csv");
  for (const std::string& name : options.names)
    if (std::ranges::none_of(all, [&](const OtherBound& one) { return one.row.benchmark.name == name; }))
      throw UserError(status_usage, fmt::format("there is no benchmark '{}'", name),
                      "faultline bench bounds --others lists all");
  OtherBounds evaluation{options, {}};
  for (OtherBound& one : all) {
    const std::string& name = one.row.benchmark.name;
    if (stop || (!options.names.empty() && std::ranges::find(options.names, name) == options.names.end()))
      continue;
    on_begin(name);
    try {
      one.row.bounds = campaign::bound(
                           options_for(name, folder), options.task, [](const auto&) {}, stop)
                           .report.bounds;
      one.obstacle = open_reason(one.row.bounds);
    } catch (const UserError& error) {
      one.obstacle = error.what();
    }
    evaluation.rows.push_back(std::move(one));
  }
  return evaluation;
}

std::string other_bounds_table(const OtherBounds& evaluation) {
  std::vector<report::Row> rows;
  for (const OtherBound& one : evaluation.rows)
    rows.push_back({one.row.benchmark.name, fmt::format("{:.2e}", one.row.benchmark.best),
                    one.row.benchmark.tool + (one.stable_paths_only ? " *" : ""), proven_text(one),
                    one.obstacle.empty() ? fmt::format("{:.3f}", one.row.to_published()) : "-",
                    fmt::format("{:.3e}", one.row.found()), fmt::format("{:.2f}", one.row.bounds.seconds),
                    one.obstacle});
  const size_t counted = evaluation.counted(), good = evaluation.within(near);
  return report::table({{"function"},
                        {"published", Align::right},
                        {"by"},
                        {"proven", Align::right},
                        {"proven/published", Align::right},
                        {"found", Align::right},
                        {"s", Align::right},
                        {"", Align::left, 60}},
                       rows, report::Style(false)) +
         fmt::format("\nAbsolute errors; inputs {}. Proven at most {} times the best published bound: {} of {} ({:.0f} "
                     "%).\n* holds for stable paths only, and does not count.\n",
                     evaluation.options.task.rounded_inputs ? "are reals that were rounded (--rounded-inputs)"
                                                            : "are exact floats",
                     near, good, counted, counted == 0 ? 0.0 : 100.0 * double(good) / double(counted));
}

std::string other_bounds_csv(const OtherBounds& evaluation) {
  std::string text =
      csv_line({"function", "published", "tool", "stable_paths_only", "proven", "found", "seconds", "obstacle"});
  for (const OtherBound& one : evaluation.rows)
    text +=
        csv_line({one.row.benchmark.name, fmt::format("{}", one.row.benchmark.best), one.row.benchmark.tool,
                  one.stable_paths_only ? "yes" : "", one.obstacle.empty() ? fmt::format("{}", one.row.proven()) : "",
                  fmt::format("{}", one.row.found()), fmt::format("{}", one.row.bounds.seconds), one.obstacle});
  return text;
}

std::string other_bounds_json(const OtherBounds& evaluation) {
  Json rows = Json::array();
  for (const OtherBound& one : evaluation.rows)
    rows.push_back({{"function", one.row.benchmark.name},
                    {"published", one.row.benchmark.best},
                    {"tool", one.row.benchmark.tool},
                    {"stable_paths_only", one.stable_paths_only},
                    {"proven", one.obstacle.empty() ? Json(one.row.proven()) : Json(nullptr)},
                    {"found", one.row.found()},
                    {"seconds", one.row.bounds.seconds},
                    {"obstacle", one.obstacle}});
  return finding::json_text({{"suite", "bounds"},
                             {"others", true},
                             {"rounded_inputs", evaluation.options.task.rounded_inputs},
                             {"functions", rows}},
                            2) +
         "\n";
}

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

// Checks the certificate like a file.
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

namespace {

constexpr const char* examples =
    R"(Functions of FPBench over their ranges: the largest absolute error, proved from above and found
from below, beside the smallest upper bound that FPTaylor, Fluctuat, VCFloat2, PRECiSA or Daisy have published. Those of
VCFloat2 take inputs as the floats they are; the others count their rounding, as --rounded-inputs does.

Examples:
  faultline bench bounds                         all of it
  faultline bench bounds -f kepler0 --time 60s   more time for one function
  faultline bench bounds --rounded-inputs -o -   JSON on standard output
  faultline bench bounds --check                 and the certificates, verified, with their times
  faultline bench bounds --others                84 more functions with published bounds, as FPCores)";

const finding::Setting check_option = {.key = "check",
                                       .option = "--check",
                                       .group = "Checks",
                                       .form = finding::Form::flag,
                                       .help = "verify the certificates, as faultline check does"};

const finding::Setting others_option = {.key = "others",
                                        .option = "--others",
                                        .group = "What to bound",
                                        .form = finding::Form::flag,
                                        .help = "the other functions with published bounds instead"};

} // namespace

int bench_bounds(const cli::CommandLine& line) {
  const finding::Said said =
      parse({.name = "faultline bench bounds",
             .description = "Bounds the errors of functions for which bounds are published.",
             .examples = examples,
             .options = {function_option("this function"), budget_option("time", "10s", "for each function: 10s, 2m"),
                         *finding::find_setting("rounded-inputs"), check_option, others_option,
                         jobs_option("threads that verify"), seed_option(), report_option(), quiet_option()}},
            line);
  cli::refuse_flags(line);
  BoundsOptions options;
  options.names = said.values("function");
  options.task.ratio = 1; // as good as possible
  options.task.rounded_inputs = said.is_on("rounded-inputs");
  options.task.certificate = said.is_on("check");
  options.threads = cli::jobs_from(said, int(std::max(1u, std::thread::hardware_concurrency())));
  if (said.has("time"))
    options.task.seconds = finding::duration("--time", said.value("time"));
  const std::vector<BenchReport> reports =
      bench_reports(said.values("report")); // opened first, because they may be refused
  const bool quiet = said.is_on("quiet");
  const cli::Interrupt interrupt;
  const auto on_begin = [&](const std::string& name) {
    if (!quiet && isatty(STDERR_FILENO))
      fmt::print(stderr, "faultline: {}\n", name);
  };
  if (said.is_on("others")) {
    const OtherBounds others = evaluate_other_bounds(options, on_begin, interrupt.flag());
    return conclude(reports,
                    {[&] { return other_bounds_table(others); }, [&] { return other_bounds_csv(others); },
                     [&] { return other_bounds_json(others); }},
                    interrupt.flag());
  }
  const BoundsEvaluation evaluation = evaluate_bounds(options, on_begin, interrupt.flag());
  return conclude(reports,
                  {[&] { return bounds_table(evaluation); }, [&] { return bounds_csv(evaluation); },
                   [&] { return bounds_json(evaluation); }},
                  interrupt.flag());
}

namespace {

std::string certificates_table(const BoundsEvaluation& evaluation) {
  std::vector<report::Row> rows;
  for (const BoundsRow& row : evaluation.rows)
    if (row.checked)
      rows.push_back({row.benchmark.name, fmt::format("{}", row.checked->boxes),
                      fmt::format("{:.2f}", double(row.checked->bytes) / 1e6),
                      fmt::format("{:.2f}", row.bounds.proving_seconds), fmt::format("{:.2f}", row.checked->seconds),
                      row.checked->refusal.empty() ? "verified" : "refused: " + row.checked->refusal});
  if (rows.empty())
    return "";
  return "\n" +
         report::table({{"certificate"},
                        {"boxes", Align::right},
                        {"MB", Align::right},
                        {"proving s", Align::right},
                        {"checking s", Align::right},
                        {"", Align::left, 100}},
                       rows, report::Style(false)) +
         fmt::format("\n{} of {} verified, in {:.1f} s on {} thread{}; proving took {:.1f} s on one.\n",
                     rows.size() - evaluation.refused(), rows.size(), evaluation.checking_seconds(),
                     evaluation.options.threads, evaluation.options.threads == 1 ? "" : "s",
                     evaluation.proving_seconds());
}

} // namespace

std::string bounds_table(const BoundsEvaluation& evaluation) {
  std::vector<report::Row> rows;
  for (const BoundsRow& row : evaluation.rows)
    rows.push_back({row.benchmark.name, fmt::format("{:.3e}", row.found()), fmt::format("{:.3e}", row.proven()),
                    fmt::format("{:.3f}", row.to_found()), fmt::format("{:.2e}", row.benchmark.best),
                    row.benchmark.tool, fmt::format("{:.3f}", row.to_published()), fmt::format("{}", row.bounds.boxes),
                    fmt::format("{:.3f}", row.bounds.nearly_seconds), fmt::format("{:.2f}", row.bounds.seconds)});
  const size_t all = evaluation.rows.size();
  return report::table({{"function"},
                        {"found", Align::right},
                        {"proven", Align::right},
                        {"proven/found", Align::right},
                        {"published", Align::right},
                        {"by"},
                        {"proven/published", Align::right},
                        {"boxes", Align::right},
                        {"s to 1 %", Align::right},
                        {"s", Align::right}},
                       rows, report::Style(false)) +
         fmt::format(
             "\nAbsolute errors; inputs {}. Proven at most 1.02 times the published bound: {} of {}; at most 0.9 "
             "times: {}.\nProven/found, geometric mean: {:.3f}. {:.2f} s in all until the bound was "
             "within 1 % of the final one; {:.1f} s with the rest of the proof and the search.\n",
             evaluation.options.task.rounded_inputs ? "are reals that were rounded (--rounded-inputs)"
                                                    : "are exact floats",
             evaluation.within(1.02), all, evaluation.within(0.9), evaluation.mean_to_found(),
             evaluation.nearly_seconds(), evaluation.seconds()) +
         certificates_table(evaluation);
}

std::string bounds_csv(const BoundsEvaluation& evaluation) {
  std::string text = csv_line(
      {"function", "found", "proven", "published", "tool", "boxes", "evaluations", "nearly_seconds", "seconds"});
  for (const BoundsRow& row : evaluation.rows)
    text += csv_line({row.benchmark.name, fmt::format("{}", row.found()), fmt::format("{}", row.proven()),
                      fmt::format("{}", row.benchmark.best), row.benchmark.tool, fmt::format("{}", row.bounds.boxes),
                      fmt::format("{}", row.bounds.evaluations), fmt::format("{}", row.bounds.nearly_seconds),
                      fmt::format("{}", row.bounds.seconds)});
  return text;
}

std::string bounds_json(const BoundsEvaluation& evaluation) {
  using finding::Json;
  Json rows = Json::array();
  for (const BoundsRow& row : evaluation.rows) {
    rows.push_back({{"function", row.benchmark.name},
                    {"ranges", row.benchmark.ranges},
                    {"found", row.found()},
                    {"proven", row.bounds.complete() ? Json(row.proven()) : Json(nullptr)},
                    {"published", row.benchmark.best},
                    {"tool", row.benchmark.tool},
                    {"boxes", row.bounds.boxes},
                    {"evaluations", row.bounds.evaluations},
                    {"seconds", row.bounds.seconds},
                    {"proving_seconds", row.bounds.proving_seconds},
                    {"nearly_seconds", row.bounds.nearly_seconds}});
    if (row.checked)
      rows.back()["certificate"] = {{"verified", row.checked->refusal.empty()},
                                    {"refusal", row.checked->refusal},
                                    {"boxes", row.checked->boxes},
                                    {"bytes", row.checked->bytes},
                                    {"seconds", row.checked->seconds}};
  }
  return finding::json_text({{"suite", "bounds"},
                             {"rounded_inputs", evaluation.options.task.rounded_inputs},
                             {"mean_proven_to_found", evaluation.mean_to_found()},
                             {"functions", rows}},
                            2) +
         "\n";
}

} // namespace faultline::suite
