#include "cli/command_line.h"

#include "base/error.h"
#include "cli/parser.h"
#include "cli/writer.h"
#include "model/csv_lines.h"
#include "report/run_text.h"
#include "run/second_runs.h"
#include "run/twin.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace faultline::cli {

using base::UserError;

namespace {

namespace fs = std::filesystem;

constexpr const char* examples = R"(Examples:
  make CC=faultline-cc CXX=faultline-c++ FC=faultline-fc     the usual build
  faultline run -- ./app input.txt                           where this run loses its digits
  faultline run -o run.json -- ./app input.txt               all of it, for scripts

The program runs with your arguments, files, environment and terminal, without a sandbox, and a few times more slowly.
The report goes to standard error. The exit status is the program's own; 128 + N if signal N ended it.)";

std::string path_of(const std::string& name) {
  std::error_code error;
  if (name.find('/') != std::string::npos)
    return name;
  std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path path = fs::path(folder) / name;
        access(path.c_str(), X_OK) == 0 && fs::is_regular_file(path, error))
      return path.string();
  return name;
}

// The folders of the sources, and this one.
std::vector<std::string> folders_of(const run::Twin& twin) {
  std::error_code error;
  std::set<std::string> folders = {fs::current_path(error).string()};
  for (const run::Site& site : twin.sites.sites)
    if (const fs::path file = site.file; file.is_absolute())
      folders.insert(file.parent_path().string());
  return {folders.begin(), folders.end()};
}

void refuse_program_without_mark(const std::vector<std::string>& words) {
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i] == "-o")
      ++i;
    else if (!words[i].starts_with("-"))
      throw UserError(
          base::status_usage, fmt::format("{}: put -- before the program", words[i]),
          fmt::format("faultline run -- {}", model::shell_line({words.begin() + std::ptrdiff_t(i), words.end()})));
}

} // namespace

int run_program(const CommandLine& line) {
  refuse_program_without_mark(line.words);
  const model::RawSettings raw =
      parse({.name = "run",
             .description = "Runs a whole program that faultline-cc has built, and shows where it loses digits.",
             .examples = examples},
            line);
  if (line.flags.empty())
    throw UserError(base::status_usage, "no program given", "faultline run -- ./app ARGUMENTS");
  const std::vector<OutputFile> files = json_files(raw.values("report"));
  const std::string program = path_of(line.flags.front());
  std::error_code error;
  if (!fs::is_regular_file(program, error) || access(program.c_str(), X_OK) != 0)
    throw UserError(base::status_usage, fmt::format("{}: there is no such program", line.flags.front()),
                    "faultline run -- ./app ARGUMENTS");
  const run::Twin twin = run::twin_of(program, {.causes = !raw.is_on("no-causes")});
  const off_t input = run::input_position();
  model::RunReport report = run::execute(twin, line.flags);
  if (raw.is_on("once"))
    report.repeat.reason = "--once: there was no further run";
  else
    run::repeat_run(program, line.flags, input, report);
  const report::SourceLine source = report::source_files(folders_of(twin));
  if (!raw.is_on("quiet"))
    fmt::print(stderr, "{}", report::run_text(report, source, report::style_of(STDERR_FILENO)));
  for (const OutputFile& file : files)
    file.write(report::run_json(report, source));
  return report.signal != 0 ? 128 + report.signal : report.status;
}

} // namespace faultline::cli
