#include "cli/command.h"
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
  faultline report findings.json -o findings.txt)";

} // namespace

int report(const Line& line) {
  CLI::App app("Renders saved findings.", "faultline report");
  app.footer(examples);
  std::string file;
  std::vector<std::string> files;
  app.add_option("FINDINGS.json", file, "what faultline hunt -o FINDINGS.json wrote")->option_text(" ");
  add_report_option(app, files);
  parse(app, line);
  refuse_flags(line);

  const campaign::Report saved = load_findings(file);
  if (files.empty())
    report::print(report::reader_text(saved, report::source_files(), report::style_of(STDOUT_FILENO)));
  for (const report::Writer& writer : report::writers(files))
    writer.write(saved);
  return 0;
}

} // namespace faultline::cli
