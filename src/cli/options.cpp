#include "cli/options.h"

#include "cli/configuration_file.h"
#include "cli/parser.h"
#include "cli/sources.h"
#include "cli/terminal/remarks.h"
#include "finding/settings/values.h"
#include "frontend/capture/section.h"
#include "frontend/error.h"
#include "search/strategy.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <thread>

namespace faultline::cli {

using finding::Said;
using finding::Settings;
using frontend::status_usage;
using frontend::UserError;

namespace {

// What a build made is compiled.
void check_flags(const frontend::Sources& sources) {
  if ((sources.flags.empty() && sources.compilation_database.empty()) ||
      !std::ranges::all_of(sources.files, frontend::is_machine_code))
    return;
  throw UserError(status_usage,
                  fmt::format("{}: is compiled already: {} would change nothing", sources.files.front(),
                              sources.flags.empty() ? "-p" : "flags after --"),
                  "leave them out, or give them to the build");
}

// All but the settings of functions.
campaign::Options frame_from(const Said& said, const CommandLine& line) {
  campaign::Options options;
  options.functions = said.values("function");
  options.jobs = jobs_from(said, int(std::max(1u, std::thread::hardware_concurrency())));
  options.sources.files = source_files_of(said.values(operands), said.value("database"));
  options.sources.of_database = said.values(operands).empty();
  options.sources.flags = line.flags;
  options.sources.compilation_database = said.value("database");
  options.sources.trust = trust_in_flags(said);
  check_flags(options.sources);
  options.command = recorded(line.typed);
  options.without_configuration = said.is_on("no-config");
  if (!said.is_on("quiet"))
    options.tell = tell_remark_once;
  // What explain writes is not replayed: its command has no search.
  const std::vector<std::string>& reports = said.values("report");
  const auto json = std::ranges::find_if(reports, [](const std::string& file) { return file.ends_with(".json"); });
  if (json != reports.end() && line.typed.front() == "hunt")
    options.json_report = *json;
  return options;
}

// The configuration's flags first: those on the command line have the last word.
void add_flags(campaign::Options& options, const std::vector<std::string>& flags) {
  options.sources.flags.insert(options.sources.flags.begin(), flags.begin(), flags.end());
}

Settings checked(Settings settings) {
  search::check_strategy(settings.strategy);
  return settings;
}

} // namespace

void check_values(const finding::Setting& setting, const std::vector<std::string>& values) {
  Settings ignored;
  setting.read(values, ignored);
  search::check_strategy(ignored.strategy);
}

frontend::Trust trust_in_flags(const Said& said) {
  return said.is_on("trust-flags") ? frontend::Trust::yes : frontend::Trust::no;
}

int jobs_from(const Said& said, int usual) {
  constexpr uint64_t most = 1024; // processes; more than any machine has a use for
  return said.has("jobs") ? int(std::min(finding::positive_whole("-j", said.value("jobs")), most)) : usual;
}

campaign::Options options_from(const Said& said, const CommandLine& line, const Settings& usual) {
  campaign::Options options = frame_from(said, line);
  const std::string file = configuration_for(options.sources.files, said);
  if (file.empty()) {
    options.settings = checked(read_settings(said, usual));
    return options;
  }
  finding::Configuration configuration = read_configuration(file);
  configuration.typed = said;
  configuration.usual = usual;
  configuration.flags = flags_from_file(configuration.flags, file, options.sources.trust);
  add_flags(options, configuration.flags);
  options.settings = checked(settings_of_all(configuration));
  options.configuration = std::move(configuration);
  return options;
}

// What the hunter typed is data by now: --trust-flags in it, too.
campaign::Options as_recorded(const Said& said, const CommandLine& line, const Saved& saved) {
  const finding::Report& report = saved.report;
  campaign::Options options = frame_from(said, line);
  options.sources.trust = saved.trust;
  options.sources.flags = flags_from_file(line.flags, saved.file, saved.trust);
  options.settings = checked(read_settings(said));
  if (!report.configuration && !said.has("seen"))
    return options;
  finding::Configuration configuration;
  if (report.configuration) {
    configuration.file = report.configuration->file;
    configuration.flags = flags_from_file(report.configuration->flags, saved.file, saved.trust);
  }
  configuration.recorded.emplace();
  for (const finding::TargetReport& target : report.targets) {
    const Said recorded = finding::said_in(target.settings);
    checked(read_settings(recorded)); // now: a file may say anything
    configuration.recorded->emplace(target.function, recorded);
  }
  add_flags(options, configuration.flags);
  options.configuration = std::move(configuration);
  return options;
}

exec::Confinement confinement_from(const Said& said) {
  exec::Confinement confinement;
  confinement.wanted = !said.is_on("unsafe-no-sandbox");
  confinement.readable = said.values("allow-read");
  exec::check_confinement(confinement);
  if (!confinement.wanted)
    fmt::print(stderr, "faultline: warning: the code under test runs without a sandbox, with all your rights\n");
  return confinement;
}

Permissions permissions_from(const Said& said) { return {trust_in_flags(said), confinement_from(said)}; }

finding::Tier fail_on(const Said& said, const campaign::Options& options) {
  const bool from_file = !said.has("fail-on") && options.configuration && !options.configuration->fail_on.empty();
  const std::string word = from_file             ? options.configuration->fail_on
                           : said.has("fail-on") ? said.value("fail-on")
                                                 : "warning";
  if (const std::optional<finding::Tier> tier = finding::tier_of(std::string_view(word)))
    return *tier;
  throw frontend::UserError(frontend::status_usage, fmt::format("--fail-on {}: there is no such tier", word),
                            "one of error, warning, note");
}

report::Screen screen_from(const Said& said) {
  report::Screen screen;
  screen.style = report::style_of(STDOUT_FILENO);
  screen.program = program_name();
  screen.detail = said.is_on("quiet")     ? report::Detail::brief
                  : said.is_on("verbose") ? report::Detail::full
                                          : report::Detail::normal;
  if (said.has("limit"))
    screen.limit = finding::whole("--limit", said.value("limit"));
  return screen;
}

std::string baseline_file(const Said& said, const campaign::Options& options) {
  return said.has("baseline") || !options.configuration ? said.value("baseline") : options.configuration->baseline;
}

std::string corpus_folder(const Said& said, const campaign::Options& options) {
  return said.has("corpus") || !options.configuration ? said.value("corpus") : options.configuration->corpus;
}

std::string seen_file(const Said& said, const campaign::Options& options) {
  return said.has("seen") || !options.configuration ? said.value("seen") : options.configuration->seen;
}

void tell_configuration(const campaign::Options& options) {
  if (options.configuration)
    fmt::print(stderr, "faultline: settings from {}\n", options.configuration->file);
}

} // namespace faultline::cli
