#include "suite/bounds/other_bounds.h"

#include "finding/json/finding_json.h"
#include "frontend/error.h"
#include "hunt/bound.h"
#include "numeric/decimal.h"
#include "report/table.h"
#include "suite/csv.h"
#include "suite/subject.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

namespace faultline::suite {

using finding::Json;
using frontend::status_usage;
using frontend::UserError;
using report::Align;

namespace {

constexpr double near = 1.1; // of the best that was published: what counts as as good

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
                                                            : "are the floats that they are",
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

} // namespace faultline::suite
