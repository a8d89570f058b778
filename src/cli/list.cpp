#include "campaign/list.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output_file.h"
#include "cli/parser.h"
#include "frontend/error.h"
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
  faultline list sum.c --size A=32                 functions with arrays need a size)";

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
  const std::vector<finding::ListedTarget> targets = campaign::list(options);
  print(report::list_text(targets, report::style_of(STDOUT_FILENO), said.is_on("unsuitable")));
  const bool any = std::ranges::any_of(targets, [](const auto& listed) { return listed.target.suitable(); });
  return any ? frontend::status_nothing : frontend::status_unsuitable;
}

} // namespace faultline::cli
