#include "campaign/targets.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output_file.h"
#include "cli/parser.h"
#include "frontend/error.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace faultline::cli {
namespace {

constexpr const char* examples = R"(Examples:
  faultline harness stats.cpp -f mean --size v=8        the code by which a hunt calls it
  faultline harness stats.cpp -f mean --size v=8 > h.cpp && faultline hunt h.cpp   changed as you like

A function of plain numbers and arrays needs none. For one that cannot be called by itself, what is printed has the places
that you have to fill in.)";

// The whole file: it can be hunted in as it is.
std::string file_text(const frontend::Target& target) {
  std::error_code ignored;
  const std::filesystem::path source = std::filesystem::absolute(target.file, ignored);
  std::string text = fmt::format("// Calls {} ({}:{}).\n", target.function, target.file, target.line);
  if (!target.suitable())
    text += fmt::format("// {}\n", target.unsuitable);
  return text + fmt::format("#include \"{}\"\n\n{}", source.string(), target.harness);
}

} // namespace

int harness(const CommandLine& line) {
  const finding::Said said = parse({.name = "faultline harness",
                                    .description = "Prints the harness by which a function is called.",
                                    .examples = examples,
                                    .operand = "SOURCE",
                                    .operand_help = source_help,
                                    .many_operands = true,
                                    .options = options_of(finding::command::harness)},
                                   line);
  const campaign::Options options = options_from(said, line);
  if (options.functions.empty())
    throw frontend::UserError(frontend::status_usage, "no function given", "-f NAME; faultline list --all shows them");
  frontend::Program program = campaign::load_program(options);
  std::vector<frontend::Target> targets = campaign::targets_of(program, options, campaign::Fit::anything);
  std::erase_if(targets, [](const frontend::Target& target) { return target.harness.empty(); });
  if (targets.empty())
    throw frontend::UserError(frontend::status_unsuitable,
                              fmt::format("{} needs no harness", options.functions.front()),
                              "faultline hunt calls it as it is");
  for (const frontend::Target& target : targets)
    print(file_text(target));
  return frontend::status_nothing;
}

} // namespace faultline::cli
