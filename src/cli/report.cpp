#include "cli/commands.h"
#include "cli/drawing.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/parser.h"
#include "cli/saved.h"
#include "cli/writer.h"
#include "report/screen/screen.h"

#include <unistd.h>

namespace faultline::cli {
namespace {

constexpr const char* examples = R"(Examples:
  faultline report findings.json                   as text, on standard output
  faultline report findings.json -o findings.txt
  faultline report findings.json -o findings.html  a page for a browser; in the folder where the hunt was, with plots
  faultline report findings.json -o bugs_test.cpp  regression tests; in the folder where the hunt was)";

} // namespace

int report(const CommandLine& line) {
  const finding::Said said = parse({.name = "faultline report",
                                    .description = "Renders saved findings.",
                                    .examples = examples,
                                    .operand = "FINDINGS.json",
                                    .operand_help = "what faultline hunt -o FINDINGS.json wrote",
                                    .options = options_of(finding::command::report)},
                                   line);
  refuse_flags(line);
  const std::string& file = said.value(operands);
  const std::vector<std::string>& files = said.values("report");

  const Permissions permissions = permissions_from(said);
  finding::Report saved = load_findings(file);
  const finding::RankedReport ranked(saved);
  if (files.empty()) {
    report::Screen screen = screen_from(said);
    screen.has_page = writes_page(saved.command);
    print(report::screen_text(ranked, report::source_files(), screen));
  }
  const std::vector<Writer> writers = cli::writers(files);
  const Interrupt interrupt;
  if (!said.is_on("no-plots"))
    draw(
        saved, ranked.problems, writers, [&] { return saved_options(saved, file, permissions); }, interrupt.flag());
  const auto options = [&] {
    campaign::Options made_with = saved_options(saved, file, permissions);
    if (said.has("include"))
      made_with.headers = said.values("include");
    return made_with;
  };
  write_all(writers, ranked, {options, vectors_from(said), interrupt.flag(), progress_mode(false, STDERR_FILENO)});
  return 0;
}

} // namespace faultline::cli
