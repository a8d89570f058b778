#include "finding/json/finding_json.h"
#include "report/table.h"
#include "suite/bounds/bounds.h"
#include "suite/csv.h"

#include <fmt/format.h>

namespace faultline::suite {

using report::Align;

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
             "within 1 % of what it came to; {:.1f} s with the rest of the proof and the search.\n",
             evaluation.options.task.rounded_inputs ? "are reals that were rounded (--rounded-inputs)"
                                                    : "are the floats that they are",
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
