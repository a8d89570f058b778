#include "base/error.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/parser.h"
#include "cli/writer.h"
#include "hunt/single_target.h"
#include "hunt/targets.h"
#include "program/compile.h"
#include "program/fpcore/file.h"
#include "report/list_text.h"
#include "report/text.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <unistd.h>

namespace faultline::cli {

using base::status_usage;
using base::UserError;

namespace {

constexpr const char* list_examples = R"(Examples:
  faultline list foo.c
  faultline list src/ -- -Iinclude
  faultline list foo.c --all                       those that cannot be hunted in too, and why
  faultline list libm.bc -f 'bessel_*'             those of these names
  faultline list libfoo.a                          what was captured of a build with faultline cc, and what is in it
  faultline list sum.c --size A=32                 arrays of another size than running the code tells)";

// Returns the first part of the list, if a build made the files.
std::string captured_text(const program::CaptureSummary& captured, bool all) {
  std::string text;
  if (captured.any())
    for (const std::string& line : {program::capture_text(captured, all), program::left_out_text(captured, all)})
      if (!line.empty())
        text += report::printable(line) + "\n";
  return text.empty() ? text : text + "\n";
}

} // namespace

int list(const CommandLine& line) {
  const model::RawSettings raw = parse_sources(
      "list", "Lists the functions that can be tested, with inputs, outputs and sites.", list_examples, line);
  const hunt::Options options = options_from(raw, line);
  tell_configuration(options);
  const hunt::Listing listing = hunt::list(options);
  const bool all = raw.is_on("unsuitable");
  print(captured_text(listing.captured, all) +
        report::list_text(listing.targets, report::style_of(STDOUT_FILENO), all));
  const bool any = std::ranges::any_of(listing.targets, [](const auto& listed) { return listed.target.huntable(); });
  return any ? base::status_nothing : base::status_unsuitable;
}

namespace {

constexpr const char* export_examples = R"(Examples:
  faultline export foo.c -f foo -o foo.fpcore                     for FPTaylor, Daisy, Herbie, ...
  faultline export foo.c -f foo --range x=0:1 -o foo.fpcore       with :pre (<= 0 x 1)
  faultline export poly.c -f poly --hold n=3 -o -                 on standard output
  faultline export foo.fpcore -o foo.c                            FPCores as C, without their preconditions

Straight-line and branching code of plain numbers can be written, and loops with one condition at their head; integers
are held. Reading the file back gives the same values, bit for bit.)";

std::string output_of(const model::RawSettings& raw) {
  const std::vector<std::string>& names = raw.values("report");
  if (names.size() != 1)
    throw UserError(status_usage, names.empty() ? "no file to write to" : "export writes one file",
                    "-o FILE.fpcore, or -o - for standard output");
  if (names.front() != "-" && !names.front().ends_with(".fpcore") && !names.front().ends_with(".c"))
    throw UserError(status_usage, fmt::format("-o {}: the ending does not say what to write", names.front()),
                    ".fpcore, .c for FPCores, or -o - for standard output");
  return names.front();
}

std::string c_text(const hunt::Options& options) {
  const std::vector<std::string>& files = options.sources.files;
  if (files.size() != 1 || !program::fpcore::is_fpcore(files.front()))
    throw UserError(status_usage, "only one file of FPCores can be written as C",
                    "faultline export foo.fpcore -o foo.c");
  return program::fpcore::c_source(files.front(), program::fpcore::Preconditions::left_out);
}

} // namespace

int export_fpcore(const CommandLine& line) {
  const model::RawSettings raw =
      parse_sources("export", "Writes a function as FPCore (FPBench 2.0), for other tools.", export_examples, line);
  const hunt::Options options = options_from(raw, line);
  const std::string name = output_of(raw);
  const OutputFile file(name);
  file.write(name.ends_with(".c") ? c_text(options) : hunt::export_fpcore(options));
  return base::status_nothing;
}

namespace {

constexpr const char* harness_examples = R"(Examples:
  faultline harness stats.cpp -f mean --size v=8        the code by which a hunt calls it
  faultline harness stats.cpp -f mean --size v=8 > h.cpp && faultline hunt h.cpp   changed as you like

What is printed for C and C++ includes the source: link tests with it instead of the source, not with both.
A function of plain numbers and arrays needs none. For one that cannot be called by itself, what is printed has the places
that you have to fill in.)";

bool is_fortran(const model::Target& target) { return program::language_of(target.file) == program::Language::fortran; }

std::string harness_text(const model::Target& target) {
  const char* comment = is_fortran(target) ? "!" : "//";
  std::string text = fmt::format("{} Calls {} ({}:{}).\n", comment, target.function, target.file, target.line);
  if (!target.suitable())
    text += fmt::format("{} {}\n", comment, target.unsuitable);
  return text + target.harness;
}

// Returns a whole file that can be tested and linked. A Fortran file needs the source, whose modules it uses.
std::string file_text(const std::vector<model::Target>& targets) {
  std::set<std::string> sources;
  std::error_code ignored;
  for (const model::Target& target : targets)
    if (!is_fortran(target))
      sources.insert(std::filesystem::absolute(target.file, ignored).string());
  std::string text;
  for (const std::string& source : sources)
    text += fmt::format("#include \"{}\" // so link with this file instead of that one\n", source);
  for (const model::Target& target : targets)
    text += (text.empty() ? "" : "\n") + harness_text(target);
  return text;
}

} // namespace

int harness(const CommandLine& line) {
  const model::RawSettings raw =
      parse_sources("harness", "Prints the harness by which a function is called.", harness_examples, line);
  const hunt::Options options = options_from(raw, line);
  if (options.functions.empty())
    throw base::UserError(base::status_usage, "no function given", "-f NAME; faultline list --all shows them");
  program::Program program = hunt::load_program(options);
  std::vector<model::Target> targets; // including those that cannot be tested
  for (const std::string& name : options.functions)
    std::ranges::move(program.named(name, options.settings.sizes, options.settings.aliases),
                      std::back_inserter(targets));
  std::erase_if(targets, [](const model::Target& target) { return target.harness.empty(); });
  if (targets.empty())
    throw base::UserError(base::status_unsuitable, fmt::format("{} needs no harness", options.functions.front()),
                          "faultline hunt calls it as it is");
  print(file_text(targets));
  return base::status_nothing;
}

} // namespace faultline::cli
