#include "cli/interrupt.h"
#include "cli/output_file.h"
#include "finding/settings/values.h"
#include "frontend/error.h"
#include "report/style.h"
#include "suite/bench.h"
#include "suite/fpse/fpse.h"
#include "suite/fpse/fpse_rows.h"
#include "suite/fpse/fpse_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::suite {
namespace {

constexpr const char* examples = R"(Seven small programs in single and double, whose results are compared with what is
published, and the paths of two case studies (examples/fpse), solved with filtering by ULP-max and without. The exit
status is 0 if all results agree and every path of dichotomic() is solved with ULP-max, else 1.

Examples:
  faultline bench fpse                               all of it
  faultline bench fpse --time 30s -o fpse.csv        more time for each path; a line for each result
  faultline bench fpse -o -                          JSON on standard output)";

} // namespace

int bench_fpse(const cli::CommandLine& line) {
  const finding::Said said = parse(
      {.name = "faultline bench fpse",
       .description = "Solves path conditions over floats: the evaluation of FPSE (ICST 2013).",
       .examples = examples,
       .options = {budget_option("time", "5s", "for each question: 5s, 500ms, 2m"), report_option(), quiet_option()}},
      line);
  const bool quiet = said.is_on("quiet");
  cli::refuse_flags(line);
  FpseOptions options;
  if (said.has("time"))
    options.seconds = finding::duration("--time", said.value("time"));
  const std::vector<BenchReport> reports = bench_reports(said.values("report")); // now: they may be refused

  const cli::Interrupt interrupt;
  const FpseEvaluation evaluation = evaluate_fpse(
      options,
      [&](const std::string& what) {
        if (!quiet && isatty(STDERR_FILENO))
          fmt::print(stderr, "faultline: {}\n", what);
      },
      interrupt.flag());
  if (std::ranges::none_of(reports, [](const BenchReport& output) { return output.file.is_standard_output(); }))
    cli::print(fpse_text(evaluation, report::style_of(STDOUT_FILENO)));
  for (const BenchReport& output : reports)
    output.file.write(output.csv ? fpse_csv(evaluation) : fpse_json(evaluation));
  if (interrupt.flag()) {
    fmt::print(stderr, "faultline: interrupted; this is what was found until then\n");
    return frontend::status_inconclusive;
  }
  return evaluation.good() ? frontend::status_nothing : frontend::status_found;
}

} // namespace faultline::suite
