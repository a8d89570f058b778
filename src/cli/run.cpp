#include "cli/command_line.h"

#include "base/error.h"
#include "cli/parser.h"
#include "cli/writer.h"
#include "model/csv_lines.h"
#include "numeric/decimal.h"
#include "report/comparison_text.h"
#include "report/narrowing_text.h"
#include "report/run_pages.h"
#include "report/run_problems.h"
#include "report/run_text.h"
#include "run/comparison.h"
#include "run/narrowing.h"
#include "run/second_runs.h"
#include "run/twin.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
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
  faultline run --against ./app_O0 -- ./app input.txt        where two builds part: rounding, or another program?
  faultline run --narrow 1e-6 -o float.patch -- ./app        which doubles can be float

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
  const std::vector<model::Setting> options = options_of(model::command::run);
  const auto takes_value = [&](const std::string& word) {
    return std::ranges::any_of(options, [&](const model::Setting& option) {
      return option.form != model::Form::flag &&
             ("," + std::string(option.option) + ",").find("," + word + ",") != std::string::npos;
    });
  };
  for (size_t i = 0; i < words.size(); ++i)
    if (takes_value(words[i]))
      ++i;
    else if (!words[i].starts_with("-"))
      throw UserError(
          base::status_usage, fmt::format("{}: put -- before the program", words[i]),
          fmt::format("faultline run -- {}", model::shell_line({words.begin() + std::ptrdiff_t(i), words.end()})));
}

// The path of a program that can be run. Throws UserError.
std::string program_at(const std::string& name) {
  const std::string program = path_of(name);
  std::error_code error;
  if (!fs::is_regular_file(program, error) || access(program.c_str(), X_OK) != 0)
    throw UserError(base::status_usage, fmt::format("{}: there is no such program", name),
                    "faultline run -- ./app ARGUMENTS");
  return program;
}

// Words as a shell splits them: quotes and backslashes, nothing else.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  bool inside = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!quote && (c == ' ' || c == '\t' || c == '\n')) {
      inside = false;
      continue;
    }
    if (!inside)
      words.emplace_back();
    inside = true;
    if (c == '\\' && quote != '\'' && i + 1 < text.size())
      words.back() += text[++i];
    else if (quote ? c == quote : c == '\'' || c == '"')
      quote = quote ? 0 : c;
    else
      words.back() += c;
  }
  if (quote)
    throw UserError(base::status_usage, fmt::format("--against {}: a quote is not closed", text),
                    "--against './app \"two words\"'");
  return words;
}

bool is_assignment(const std::string& word) {
  const size_t end = word.find('=');
  return end != std::string::npos && end > 0 && word.find('/') > end && !word.starts_with("-");
}

// OTHER of --against: what it leaves out is taken from the first run.
run::ComparedRun other_run(const std::string& other, const std::vector<std::string>& first) {
  run::ComparedRun run;
  std::vector<std::string> words = words_of(other);
  const auto program = std::ranges::find_if_not(words, is_assignment);
  run.environment.assign(words.begin(), program);
  words.erase(words.begin(), program);
  if (words.empty() && run.environment.empty())
    throw UserError(base::status_usage, "--against: no other run is given",
                    "--against ./other_build, --against './app other.in', --against OMP_NUM_THREADS=1");
  run.command = words.empty() ? first : words;
  if (words.size() == 1)
    run.command.insert(run.command.end(), first.begin() + 1, first.end());
  return run;
}

int compare(const std::string& other, const std::vector<std::string>& command, bool quiet,
            const std::vector<OutputFile>& files) {
  run::ComparedRun first{.command = command}, second = other_run(other, command);
  for (run::ComparedRun* run : {&first, &second})
    run->twin = run::twin_of(program_at(run->command.front()), {.causes = true, .values = true});
  const model::RunComparison comparison = run::compare_runs(first, second);
  std::error_code error;
  const report::SourceLine source = report::source_files({fs::current_path(error).string()});
  if (!quiet)
    fmt::print(stderr, "{}", report::comparison_text(comparison, source, report::style_of(STDERR_FILENO)));
  for (const OutputFile& file : files)
    file.write(report::comparison_json(comparison, source));
  return comparison.signal[0] != 0 ? 128 + comparison.signal[0] : comparison.status[0];
}

// The number of this process in an MPI program or a job step with several tasks: the variables of Open MPI, of MPICH
// and Intel MPI (PMI), and of Slurm.
std::optional<uint64_t> rank_of_process() {
  constexpr std::pair<const char*, const char*> variables[] = {
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}, {"SLURM_PROCID", "SLURM_NTASKS"}};
  for (const auto& [rank, size] : variables) {
    const char *own = std::getenv(rank), *all = std::getenv(size);
    if (own && all && std::atoi(all) > 1 && std::atoi(own) >= 0)
      return uint64_t(std::atoi(own));
  }
  return {};
}

// report.json is report.3.json for rank 3.
std::string file_of_rank(const std::string& file, std::optional<uint64_t> rank) {
  const fs::path path = file;
  if (!rank || file == "-")
    return file;
  return (path.parent_path() / fmt::format("{}.{}{}", path.stem().string(), *rank, path.extension().string())).string();
}

std::string sarif_of(const model::RunReport& report, const report::SourceLine& source) {
  std::error_code error;
  return report::run_sarif(report, source, {}, fs::current_path(error).string());
}

using Render = std::string (*)(const model::RunReport&, const report::SourceLine&);
struct RunFormat {
  const char* ending;
  Render render;
};
constexpr RunFormat run_formats[] = {{".json", report::run_json}, {".html", report::run_page}, {".sarif", sarif_of}};

struct RunFile {
  Render render;
  OutputFile file;
};

std::vector<RunFile> run_files(const std::vector<std::string>& names) {
  std::vector<RunFile> files;
  for (const std::string& name : names)
    files.push_back(
        {format_for(name, run_formats, ".json, .html or .sarif, or -o - for JSON on standard output").render,
         OutputFile(name)});
  return files;
}

// --fail-on
std::optional<report::RunTier> tier_of(const model::RawSettings& raw) {
  if (!raw.has("fail-on"))
    return std::nullopt;
  for (const report::RunTier tier : {report::RunTier::error, report::RunTier::warning, report::RunTier::note})
    if (raw.value("fail-on") == report::text(tier))
      return tier;
  throw UserError(base::status_usage, fmt::format("--fail-on {}: there is no such tier", raw.value("fail-on")),
                  "error, warning or note");
}

std::vector<std::string> watched_names(const model::RawSettings& raw) {
  std::vector<std::string> names = raw.values("watch");
  if (names.size() > run::most_watched)
    throw UserError(base::status_usage, fmt::format("--watch: {} names are too many", names.size()),
                    fmt::format("at most {} in one run", run::most_watched));
  return names;
}

double tolerance_from(const std::string& text) {
  const std::optional<double> tolerance = numeric::parse_double(text);
  if (!tolerance || !(*tolerance > 0) || !(*tolerance < 1))
    throw UserError(base::status_usage, fmt::format("--narrow {}: not a relative error between 0 and 1", text),
                    "--narrow 1e-6");
  return *tolerance;
}

int narrow(const model::RawSettings& raw, const std::vector<std::string>& command) {
  const double tolerance = tolerance_from(raw.value("narrow"));
  std::vector<std::string> reports, patches;
  for (const std::string& file : raw.values("report"))
    (file.ends_with(".patch") || file.ends_with(".diff") ? patches : reports).push_back(file);
  const std::vector<OutputFile> files = json_files(reports), diffs(patches.begin(), patches.end());
  const model::RunNarrowing narrowing = run::narrow_program(program_at(command.front()), command, tolerance);
  if (!raw.is_on("quiet"))
    fmt::print(stderr, "{}", report::narrowing_text(narrowing, report::style_of(STDERR_FILENO)));
  for (const OutputFile& file : files)
    file.write(report::narrowing_json(narrowing));
  for (const OutputFile& file : diffs)
    file.write(narrowing.diff);
  return narrowing.status;
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
  const std::optional<uint64_t> rank = rank_of_process();
  std::vector<std::string> names = raw.values("report");
  for (std::string& name : names)
    name = file_of_rank(name, rank);
  if (raw.is_on("record"))
    return record_run(line.flags, names.empty() ? file_of_rank("seen.json", rank) : names.front(), raw.is_on("quiet"));
  if (raw.has("narrow"))
    return narrow(raw, line.flags);
  if (raw.has("against"))
    return compare(raw.value("against"), line.flags, raw.is_on("quiet"), json_files(names));
  const std::vector<RunFile> files = run_files(names);
  const std::optional<report::RunTier> fails_on = tier_of(raw);
  const std::string program = program_at(line.flags.front());
  const run::Twin twin = run::twin_of(program, {.causes = !raw.is_on("no-causes"), .watched = watched_names(raw)});
  std::error_code error;
  const off_t input = run::input_position();
  model::RunReport report = run::execute(twin, line.flags);
  report.rank = rank;
  if (rank) // the ranks would have to begin again together
    report.repeat.reason = "one of several ranks is not run again";
  else if (raw.is_on("once"))
    report.repeat.reason = "--once: there was no further run";
  else
    run::repeat_run(program, line.flags, input, report);
  const report::SourceLine source = report::source_files(folders_of(twin));
  const bool others_report = rank && *rank > 0 && !files.empty(); // one screen for all ranks
  if (!raw.is_on("quiet") && !others_report)
    fmt::print(stderr, "{}", report::run_text(report, source, report::style_of(STDERR_FILENO)));
  for (const RunFile& file : files)
    file.file.write(file.render(report, source));
  if (fails_on && report::has_problem(report, source, *fails_on))
    return 1;
  return report.signal != 0 ? 128 + report.signal : report.status;
}

} // namespace faultline::cli
