#include "cli/command.h"
#include "cli/drawing.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/saved.h"
#include "report/noise_text.h"
#include "report/text.h"
#include "report/writer.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace faultline::cli {
namespace {

constexpr const char* examples = R"(Examples:
  faultline report findings.json                   as text, on standard output
  faultline report findings.json -o findings.txt
  faultline report findings.json -o findings.html  a page for a browser; in the folder where the hunt was, with plots
  faultline report findings.json -o bugs_test.cpp  regression tests; in the folder where the hunt was)";

} // namespace

int report(const Line& line) {
  CLI::App app("Renders saved findings.", "faultline report");
  app.footer(examples);
  std::string file;
  std::vector<std::string> files;
  app.add_option("FINDINGS.json", file, "what faultline hunt -o FINDINGS.json wrote")->option_text(" ");
  add_report_option(app, files);
  bool no_plots = false;
  add_plots_option(app, no_plots);
  parse(app, line);
  refuse_flags(line);

  campaign::Report saved = load_findings(file);
  if (files.empty())
    report::print(report::reader_text(saved, report::source_files(), report::style_of(STDOUT_FILENO)));
  const std::vector<report::Writer> writers = report::writers(files);
  const Interrupt interrupt;
  if (!no_plots)
    draw(
        saved, writers, [&] { return saved_options(saved, file); }, interrupt.flag());
  for (const report::Writer& writer : writers)
    writer.write(saved, [&] { return saved_options(saved, file); });
  return 0;
}

} // namespace faultline::cli
