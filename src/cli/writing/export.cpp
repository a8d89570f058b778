#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output_file.h"
#include "cli/parser.h"
#include "frontend/error.h"
#include "hunt/exporting.h"

#include <fmt/format.h>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr const char* examples = R"(Examples:
  faultline export foo.c -f foo -o foo.fpcore                     for FPTaylor, Daisy, Herbie, ...
  faultline export foo.c -f foo --range x=0:1 -o foo.fpcore       with :pre (<= 0 x 1)
  faultline export poly.c -f poly --hold n=3 -o -                 on standard output

Straight-line and branching code of plain numbers can be written, and loops with one condition at their head; integers
are held. Reading the file back gives the same values, bit for bit.)";

std::string output_of(const finding::Said& said) {
  const std::vector<std::string>& names = said.values("report");
  if (names.size() != 1)
    throw UserError(status_usage, names.empty() ? "no file to write to" : "export writes one file",
                    "-o FILE.fpcore, or -o - for standard output");
  if (names.front() != "-" && !names.front().ends_with(".fpcore"))
    throw UserError(status_usage, fmt::format("-o {}: the ending does not say what to write", names.front()),
                    ".fpcore, or -o - for standard output");
  return names.front();
}

} // namespace

int export_fpcore(const CommandLine& line) {
  const finding::Said said = parse({.name = "faultline export",
                                    .description = "Writes a function as FPCore (FPBench 2.0), for other tools.",
                                    .examples = examples,
                                    .operand = "SOURCE",
                                    .operand_help = source_help,
                                    .many_operands = true,
                                    .options = options_of(finding::command::export_fpcore)},
                                   line);
  const campaign::Options options = options_from(said, line);
  const OutputFile file(output_of(said));
  file.write(campaign::export_fpcore(options).text);
  return frontend::status_nothing;
}

} // namespace faultline::cli
