#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output_file.h"
#include "cli/parser.h"
#include "frontend/compile.h"
#include "frontend/error.h"
#include "hunt/targets/targets.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace faultline::cli {
namespace {

constexpr const char* examples = R"(Examples:
  faultline harness stats.cpp -f mean --size v=8        the code by which a hunt calls it
  faultline harness stats.cpp -f mean --size v=8 > h.cpp && faultline hunt h.cpp   changed as you like

What is printed for C and C++ includes the source: link tests with it instead of the source, not with both.
A function of plain numbers and arrays needs none. For one that cannot be called by itself, what is printed has the places
that you have to fill in.)";

bool is_fortran(const frontend::Target& target) {
  return frontend::language_of(target.file) == frontend::Language::fortran;
}

std::string harness_text(const frontend::Target& target) {
  const char* comment = is_fortran(target) ? "!" : "//";
  std::string text = fmt::format("{} Calls {} ({}:{}).\n", comment, target.function, target.file, target.line);
  if (!target.suitable())
    text += fmt::format("{} {}\n", comment, target.unsuitable);
  return text + target.harness;
}

// A whole file: it can be hunted in as it is, and linked with; Fortran's together with the source, whose modules it
// uses.
std::string file_text(const std::vector<frontend::Target>& targets) {
  std::set<std::string> sources;
  std::error_code ignored;
  for (const frontend::Target& target : targets)
    if (!is_fortran(target))
      sources.insert(std::filesystem::absolute(target.file, ignored).string());
  std::string text;
  for (const std::string& source : sources)
    text += fmt::format("#include \"{}\" // so link with this file instead of that one\n", source);
  for (const frontend::Target& target : targets)
    text += (text.empty() ? "" : "\n") + harness_text(target);
  return text;
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
  std::vector<frontend::Target> targets; // those, too, that cannot be hunted in
  for (const std::string& name : options.functions)
    std::ranges::move(program.named(name, options.settings.sizes, options.settings.aliases),
                      std::back_inserter(targets));
  std::erase_if(targets, [](const frontend::Target& target) { return target.harness.empty(); });
  if (targets.empty())
    throw frontend::UserError(frontend::status_unsuitable,
                              fmt::format("{} needs no harness", options.functions.front()),
                              "faultline hunt calls it as it is");
  print(file_text(targets));
  return frontend::status_nothing;
}

} // namespace faultline::cli
