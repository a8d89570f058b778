#include "cli/interrupt.h"
#include "cli/options.h"
#include "finding/settings/values.h"
#include "suite/bench.h"
#include "suite/bounds/bounds.h"
#include "suite/bounds/other_bounds.h"

#include <algorithm>
#include <fmt/format.h>
#include <thread>
#include <unistd.h>

namespace faultline::suite {
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
  options.task.ratio = 1; // all that can be found
  options.task.rounded_inputs = said.is_on("rounded-inputs");
  options.task.certificate = said.is_on("check");
  options.threads = cli::jobs_from(said, int(std::max(1u, std::thread::hardware_concurrency())));
  if (said.has("time"))
    options.task.seconds = finding::duration("--time", said.value("time"));
  const std::vector<BenchReport> reports = bench_reports(said.values("report")); // now: they may be refused
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

} // namespace faultline::suite
