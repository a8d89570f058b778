#include "hunt/list.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output_file.h"
#include "cli/parser.h"
#include "frontend/error.h"
#include "report/excerpt.h"
#include "report/list_text.h"

#include <algorithm>
#include <unistd.h>

namespace faultline::cli {
namespace {

constexpr const char* examples = R"(Examples:
  faultline list foo.c
  faultline list src/ -- -Iinclude
  faultline list foo.c --all                       those that cannot be hunted in too, and why
  faultline list libm.bc -f 'bessel_*'             those of these names
  faultline list libfoo.a                          what was captured of a build with faultline cc, and what is in it
  faultline list sum.c --size A=32                 arrays of another size than running the code tells)";

// What stands before everything else, if a build made the files.
std::string captured_text(const frontend::CaptureSummary& captured, bool all) {
  std::string text;
  if (captured.any())
    for (const std::string& line : {frontend::capture_text(captured, all), frontend::left_out_text(captured, all)})
      if (!line.empty())
        text += report::printable(line) + "\n";
  return text.empty() ? text : text + "\n";
}

} // namespace

int list(const CommandLine& line) {
  const finding::Said said = parse({.name = "faultline list",
                                    .description = "Lists the functions that can be hunted in: inputs, outputs, sites.",
                                    .examples = examples,
                                    .operand = "SOURCE",
                                    .operand_help = source_help,
                                    .many_operands = true,
                                    .options = options_of(finding::command::list)},
                                   line);
  const campaign::Options options = options_from(said, line);
  tell_configuration(options);
  const campaign::Listing listing = campaign::list(options);
  const bool all = said.is_on("unsuitable");
  print(captured_text(listing.captured, all) +
        report::list_text(listing.targets, report::style_of(STDOUT_FILENO), all));
  const bool any = std::ranges::any_of(listing.targets, [](const auto& listed) { return listed.target.huntable(); });
  return any ? frontend::status_nothing : frontend::status_unsuitable;
}

} // namespace faultline::cli
