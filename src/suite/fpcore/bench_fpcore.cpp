#include "cli/interrupt.h"
#include "cli/sources.h"
#include "finding/json/finding_json.h"
#include "finding/settings/values.h"
#include "frontend/error.h"
#include "report/table.h"
#include "suite/bench.h"
#include "suite/csv.h"
#include "suite/fpcore/round_trip.h"
#include "suite/subject.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::suite {
namespace {

constexpr const char* examples =
    R"(Each function is written as FPCore, as faultline export does, and read back; both are run on the same inputs, and their
results compared bit for bit. Without a SOURCE: benchmarks/fpcore and benchmarks/bounds/others.fpcore.

Examples:
  faultline bench fpcore                 all of them, 1,000 inputs each
  faultline bench fpcore foo.c -f foo    a function of yours
  faultline bench fpcore -o trips.csv    a line for each function

Exit status: 1 if a result differs.)";

std::string table(const std::vector<RoundTrip>& trips) {
  std::vector<report::Row> rows;
  for (const RoundTrip& trip : trips)
    rows.push_back({trip.function, fmt::format("{}", trip.same), fmt::format("{}", trip.inputs), trip.obstacle});
  const auto good = std::ranges::count_if(trips, &RoundTrip::is_good);
  const auto refused = std::ranges::count_if(trips, [](const RoundTrip& trip) { return !trip.obstacle.empty(); });
  return report::table({{"function"}, {"same", report::Align::right}, {"inputs", report::Align::right}, {""}}, rows,
                       report::Style(false)) +
         fmt::format("\n{} functions: {} the same on all inputs, {} not written or not run, {} different.\n",
                     trips.size(), good, refused, ptrdiff_t(trips.size()) - good - refused);
}

std::string csv(const std::vector<RoundTrip>& trips) {
  std::string text = csv_line({"file", "function", "inputs", "same", "obstacle"});
  for (const RoundTrip& trip : trips)
    text += csv_line(
        {trip.file, trip.function, fmt::format("{}", trip.inputs), fmt::format("{}", trip.same), trip.obstacle});
  return text;
}

std::string json(const std::vector<RoundTrip>& trips) {
  finding::Json rows = finding::Json::array();
  for (const RoundTrip& trip : trips)
    rows.push_back({{"file", trip.file},
                    {"function", trip.function},
                    {"inputs", trip.inputs},
                    {"same", trip.same},
                    {"obstacle", trip.obstacle}});
  return finding::json_text({{"suite", "fpcore"}, {"functions", rows}}, 2) + "\n";
}

} // namespace

int bench_fpcore(const cli::CommandLine& line) {
  const finding::Said said =
      parse({.name = "faultline bench fpcore",
             .description = "Writes functions as FPCore, reads them back, and compares.",
             .examples = examples,
             .operand = "SOURCE",
             .operand_help = "files with functions: .fpcore, .c, ...",
             .many_operands = true,
             .options = {function_option("this function"), evaluations_option("1000", "inputs of each function"),
                         report_option(), quiet_option()}},
            line);
  cli::refuse_flags(line);
  RoundTripOptions options;
  options.files = said.values(cli::operands);
  if (options.files.empty())
    options.files = {source_folder("benchmarks/fpcore"), source_folder("benchmarks/bounds") + "/others.fpcore"};
  options.files = cli::source_files_of(options.files);
  options.functions = said.values("function");
  if (said.has("evals"))
    options.inputs = int(std::clamp(finding::positive("--evals", said.value("evals")), 1.0, 100000.0));
  const std::vector<BenchReport> reports = bench_reports(said.values("report"));
  const bool quiet = said.is_on("quiet");
  const cli::Interrupt interrupt;
  const std::vector<RoundTrip> trips = round_trips(
      options,
      [&](const std::string& name) {
        if (!quiet && isatty(STDERR_FILENO))
          fmt::print(stderr, "faultline: {}\n", name);
      },
      interrupt.flag());
  const int status =
      conclude(reports, {[&] { return table(trips); }, [&] { return csv(trips); }, [&] { return json(trips); }},
               interrupt.flag());
  const bool differs =
      std::ranges::any_of(trips, [](const RoundTrip& trip) { return trip.obstacle.empty() && !trip.is_good(); });
  return status == frontend::status_nothing && differs ? frontend::status_found : status;
}

} // namespace faultline::suite
