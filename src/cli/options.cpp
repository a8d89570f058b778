#include "cli/options.h"

#include "base/error.h"
#include "base/files.h"
#include "cli/configuration_file.h"
#include "cli/parser.h"
#include "cli/progress.h"
#include "model/settings/settings.h"
#include "program/capture/section.h"
#include "program/compile.h"
#include "program/compiling/compilation_database.h"
#include "program/compiling/compiler_process.h"
#include "program/project_files.h"
#include "search/strategy.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <ranges>
#include <set>
#include <thread>

namespace faultline::cli {

using base::status_usage;
using base::UserError;
using model::RawSettings;
using model::Settings;

namespace {

namespace fs = std::filesystem;

bool is_source(const std::string& file) {
  switch (program::language_of(file)) {
  case program::Language::c:
  case program::Language::cxx:
  case program::Language::fortran:
  case program::Language::fpcore:
    return true;
  default: // bitcode next to its source would define everything twice
    return false;
  }
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (std::error_code ignored; entry->is_regular_file(ignored))
      files.push_back(entry->path().string());
  if (error)
    throw UserError(status_usage, fmt::format("{}: {}", folder.string(), error.message()), "a folder you may read");
  std::ranges::sort(files);
  return files;
}

[[noreturn]] void no_such_file(const std::string& file) {
  std::map<std::string, std::vector<std::string>> others; // by their common name without the ending
  const fs::path folder = fs::path(file).parent_path();
  std::error_code error;
  if (fs::is_directory(folder.empty() ? "." : folder, error))
    for (const std::string& other : files_in(folder.empty() ? "." : folder))
      if (program::language_of(other) != program::Language::unknown)
        others[fs::path(other).stem().string()].push_back(folder.empty() ? fs::path(other).filename().string() : other);
  std::vector<std::string> stems, close;
  std::ranges::copy(others | std::views::keys, std::back_inserter(stems));
  for (const std::string& stem : base::nearest(fs::path(file).stem().string(), stems))
    std::ranges::copy(others[stem], std::back_inserter(close));
  throw UserError(status_usage, fmt::format("{}: no such file", file),
                  close.empty() ? "check the path" : fmt::format("{}", fmt::join(close, ", ")));
}

// libtool puts scripts and descriptions next to the sources; the built files are in .libs.
void check_libtool(const std::string& file) {
  if (program::language_of(file) != program::Language::unknown)
    return;
  const fs::path path = file;
  for (const char* ending : {"", ".a", ".so"}) {
    const fs::path built =
        path.parent_path() / ".libs" / (*ending ? path.stem().string() + ending : path.filename().string());
    if ((*ending == 0 || path.extension() == ".la") && program::is_machine_code(built.string()) &&
        !program::is_machine_code(file))
      throw UserError(status_usage, fmt::format("{}: is libtool's, and has no code", file), built.string());
  }
}

std::vector<std::string> each_once(const std::vector<std::string>& files) {
  std::vector<std::string> distinct;
  std::set<fs::path> seen;
  for (const std::string& file : files)
    if (std::error_code ignored; seen.insert(fs::weakly_canonical(file, ignored)).second)
      distinct.push_back(file);
  return distinct;
}

} // namespace

std::vector<std::string> source_files_of(const std::vector<std::string>& words, const std::string& database) {
  if (words.empty() && !database.empty())
    return program::files_in_database(database);
  if (words.empty())
    throw UserError(
        status_usage, "no source file given",
        "name a .c, .cpp, .f90, .fpcore, .ll or .bc file; -p BUILD alone takes all of a compilation database");
  std::vector<std::string> files;
  for (const std::string& word : words) {
    std::error_code error;
    if (!fs::exists(word, error))
      no_such_file(word);
    if (!fs::is_directory(word, error)) {
      check_libtool(word);
      files.push_back(word);
      continue;
    }
    std::vector<std::string> inside = files_in(word);
    program::Sources folder;
    folder.files = {word};
    const std::vector<std::string> project = program::project_folders(folder);
    std::erase_if(inside, [&](const std::string& file) { // a link that leads elsewhere has to be named
      return !is_source(file) || !base::is_below(fs::weakly_canonical(file, error).string(), project);
    });
    if (inside.empty())
      throw UserError(status_usage, fmt::format("{}: there is no C, C++, Fortran or FPCore file in this folder", word),
                      "name files, or the folder that has them");
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return each_once(files);
}

namespace {

// Refuses flags for the output of a build, which is already compiled.
void check_flags(const program::Sources& sources) {
  if ((sources.flags.empty() && sources.compilation_database.empty()) ||
      !std::ranges::all_of(sources.files, program::is_machine_code))
    return;
  throw UserError(status_usage,
                  fmt::format("{}: is compiled already: {} would change nothing", sources.files.front(),
                              sources.flags.empty() ? "-p" : "flags after --"),
                  "leave them out, or give them to the build");
}

// Returns the project, which data may not choose.
program::ProjectFolders project_of(const hunt::Options& options, const std::string& source) {
  if (!source.empty())
    return program::ProjectFolders({source});
  std::vector<std::string> named;
  if (!options.sources.of_database)
    named = options.sources.files;
  if (!options.sources.compilation_database.empty())
    named.push_back(program::database_file(options.sources.compilation_database).string());
  return program::ProjectFolders(named);
}

// Returns the options without the settings of functions.
hunt::Options frame_from(const RawSettings& raw, const CommandLine& line) {
  hunt::Options options;
  options.functions = raw.values("function");
  options.jobs = jobs_from(raw, int(std::max(1u, std::thread::hardware_concurrency())));
  options.sources.files = source_files_of(raw.values(operands), raw.value("database"));
  options.sources.of_database = raw.values(operands).empty();
  options.sources.flags = line.flags;
  options.sources.compilation_database = raw.value("database");
  options.sources.trust = trust_in_flags(raw);
  options.sources.project = project_of(options, line.source);
  check_flags(options.sources);
  options.command = recorded(line.typed);
  options.without_configuration = raw.is_on("no-config");
  if (!raw.is_on("quiet"))
    options.tell = tell_remark_once;
  // The output of explain cannot be replayed, because its command has no search.
  const std::vector<std::string>& reports = raw.values("report");
  const auto json = std::ranges::find_if(reports, [](const std::string& file) { return file.ends_with(".json"); });
  if (json != reports.end() && line.typed.front() == "hunt")
    options.json_report = *json;
  return options;
}

// Inserts the flags of the configuration first, so that those on the command line override them.
void add_flags(hunt::Options& options, const std::vector<std::string>& flags) {
  options.sources.flags.insert(options.sources.flags.begin(), flags.begin(), flags.end());
}

Settings checked(Settings settings) {
  search::check_strategy(settings.strategy);
  return settings;
}

} // namespace

void check_values(const model::Setting& setting, const std::vector<std::string>& values) {
  Settings ignored;
  setting.read(values, ignored);
  search::check_strategy(ignored.strategy);
}

program::Trust trust_in_flags(const RawSettings& raw) {
  return raw.is_on("trust-flags") ? program::Trust::yes : program::Trust::no;
}

void limit_compilers(const RawSettings& raw) {
  if (raw.has("compile-time"))
    program::limit_compilers(model::duration("--compile-time", raw.value("compile-time")));
}

int jobs_from(const RawSettings& raw, int usual) {
  constexpr uint64_t most = 1024; // processes; more than any machine needs
  return raw.has("jobs") ? int(std::min(model::positive_whole("-j", raw.value("jobs")), most)) : usual;
}

hunt::Options options_from(const RawSettings& raw, const CommandLine& line, const Settings& usual) {
  limit_compilers(raw);
  hunt::Options options = frame_from(raw, line);
  options.sources.readable = raw.values("allow-read");
  const std::string file = configuration_for(options.sources.files, raw);
  if (file.empty()) {
    options.settings = checked(read_settings(raw, usual));
    return options;
  }
  hunt::Configuration configuration = read_configuration(file);
  configuration.typed = raw;
  configuration.usual = usual;
  program::FlagFile from{file, options.sources.project, fs::path(file).parent_path().string()};
  from.project.add(file);
  configuration.flags = flags_from_file(configuration.flags, from, options.sources.trust);
  add_flags(options, configuration.flags);
  options.settings = checked(settings_of_all(configuration));
  options.configuration = std::move(configuration);
  return options;
}

// The recorded command is data, so a --trust-flags in it has no effect.
hunt::Options as_recorded(const RawSettings& raw, const CommandLine& line, const Saved& saved) {
  const model::Report& report = saved.report;
  hunt::Options options = frame_from(raw, line);
  options.sources.trust = saved.trust;
  options.sources.project = program::ProjectFolders({saved.file});
  const program::FlagFile from{saved.file, options.sources.project};
  options.sources.flags = flags_from_file(line.flags, from, saved.trust);
  options.settings = checked(read_settings(raw));
  if (!report.configuration && !raw.has("seen") && !raw.has("near"))
    return options;
  hunt::Configuration configuration;
  if (report.configuration) {
    configuration.file = report.configuration->file;
    configuration.flags = flags_from_file(report.configuration->flags, from, saved.trust);
  }
  configuration.recorded.emplace();
  for (const model::TargetReport& target : report.targets) {
    const RawSettings recorded = model::raw_settings_in(target.settings);
    checked(read_settings(recorded)); // checked, because the file is not trusted
    configuration.recorded->emplace(target.function, recorded);
  }
  add_flags(options, configuration.flags);
  options.configuration = std::move(configuration);
  return options;
}

exec::Confinement confinement_from(const RawSettings& raw) {
  exec::Confinement confinement;
  confinement.wanted = !raw.is_on("unsafe-no-sandbox");
  confinement.readable = raw.values("allow-read");
  exec::check_confinement(confinement);
  if (!confinement.wanted)
    fmt::print(stderr, "faultline: warning: the code under test runs without a sandbox, with all your rights\n");
  return confinement;
}

Permissions permissions_from(const RawSettings& raw) {
  limit_compilers(raw);
  return {trust_in_flags(raw), confinement_from(raw)};
}

model::Tier fail_on(const RawSettings& raw, const hunt::Options& options) {
  const bool from_file = !raw.has("fail-on") && options.configuration && !options.configuration->fail_on.empty();
  const std::string word = from_file            ? options.configuration->fail_on
                           : raw.has("fail-on") ? raw.value("fail-on")
                                                : "error";
  if (const std::optional<model::Tier> tier = model::tier_of(std::string_view(word)))
    return *tier;
  throw base::UserError(base::status_usage, fmt::format("--fail-on {}: there is no such tier", word),
                        "one of error, warning, note");
}

report::Screen screen_from(const RawSettings& raw) {
  report::Screen screen;
  screen.style = report::style_of(STDOUT_FILENO);
  screen.program = program_name();
  screen.detail = raw.is_on("quiet")     ? report::Detail::brief
                  : raw.is_on("verbose") ? report::Detail::full
                                         : report::Detail::normal;
  if (isatty(STDOUT_FILENO))
    screen.columns = terminal_size(stdout).columns;
  if (raw.has("limit"))
    screen.limit = model::whole("--limit", raw.value("limit"));
  return screen;
}

std::string baseline_file(const RawSettings& raw, const hunt::Options& options) {
  return raw.has("baseline") || !options.configuration ? raw.value("baseline") : options.configuration->baseline;
}

std::string corpus_folder(const RawSettings& raw, const hunt::Options& options) {
  return raw.has("corpus") || !options.configuration ? raw.value("corpus") : options.configuration->corpus;
}

std::string seen_file(const RawSettings& raw, const hunt::Options& options) {
  if (raw.has("near"))
    return raw.value("near");
  return raw.has("seen") || !options.configuration ? raw.value("seen") : options.configuration->seen;
}

void tell_configuration(const hunt::Options& options) {
  if (options.configuration)
    fmt::print(stderr, "faultline: settings from {}\n", options.configuration->file);
}

} // namespace faultline::cli
