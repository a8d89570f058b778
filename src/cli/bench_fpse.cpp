#include "cli/bench.h"

#include "cli/interrupt.h"
#include "cli/values.h"
#include "report/style.h"
#include "suite/fpse.h"
#include "suite/fpse_rows.h"
#include "suite/fpse_text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::cli {
namespace {

constexpr const char* examples = R"(Seven small programs in single and double, whose results are compared with what is
published, and the paths of two case studies (examples/fpse), solved with filtering by ULP-max and without. The exit
status is 0 if all results agree and every path of dichotomic() is solved with ULP-max, else 1.

Examples:
  faultline bench fpse                               all of it
  faultline bench fpse --time 30s -o fpse.csv        more time for each path; a line for each result
  faultline bench fpse -o -                          JSON on standard output)";

constexpr int status_not_as_expected = 1;

} // namespace

int bench_fpse(const Line& line) {
  CLI::App app("Solves path conditions over floats: the evaluation of FPSE (ICST 2013).", "faultline bench fpse");
  app.footer(examples);
  std::string time;
  std::vector<std::string> files;
  bool quiet = false;
  app.add_option("--time", time, "for each question: 5s (default), 500ms, 2m")->option_text("TIME");
  app.add_option("-o", files, "a report: .json, .csv, or - for JSON on standard output; repeatable")
      ->allow_extra_args(false)
      ->option_text("FILE");
  app.add_flag("--quiet", quiet, "no progress on standard error");
  parse(app, line);
  refuse_flags(line);
  suite::FpseOptions options;
  if (!time.empty())
    options.seconds = duration("--time", time);
  const std::vector<BenchReport> reports = bench_reports(files); // now: they may be refused

  const Interrupt interrupt;
  const suite::FpseEvaluation evaluation = suite::evaluate_fpse(
      options,
      [&](const std::string& what) {
        if (!quiet && isatty(STDERR_FILENO))
          fmt::print(stderr, "faultline: {}\n", what);
      },
      interrupt.flag());
  if (std::ranges::none_of(reports, [](const BenchReport& output) { return output.file.is_standard_output(); }))
    report::print(suite::fpse_text(evaluation, report::style_of(STDOUT_FILENO)));
  for (const BenchReport& output : reports)
    output.file.write(output.csv ? suite::fpse_csv(evaluation) : suite::fpse_json(evaluation));
  if (interrupt.flag()) {
    fmt::print(stderr, "faultline: interrupted; this is what was found until then\n");
    return status_inconclusive;
  }
  return evaluation.good() ? 0 : status_not_as_expected;
}

} // namespace faultline::cli
