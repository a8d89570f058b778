#include "cli/campaign_commands.h"
#include "base/error.h"
#include "base/text.h"
#include "campaign/campaign_page.h"
#include "campaign/recording.h"
#include "campaign/remote/merging.h"
#include "campaign/store/campaign_file.h"
#include "campaign/store/finding_table.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/saved.h"
#include "cli/writer.h"
#include "hunt/targets.h"
#include "model/comparison.h"
#include "model/csv_lines.h"
#include "model/json/finding_json.h"
#include "model/problem.h"
#include "program/project_files.h"
#include "report/status_text.h"
#include "report/text.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <unistd.h>

namespace faultline::cli {

namespace fs = std::filesystem;
using base::status_usage;
using base::UserError;

namespace {

void check_words(const std::vector<std::string>& command, const std::string& where) {
  if (command.empty() || command.front() != "hunt")
    throw UserError(status_usage, fmt::format("{}: its command is not a hunt", where), "");
  for (const std::string& word : command) {
    if (word == "--")
      return;
    const bool refused = std::ranges::any_of(options_of(model::command::hunt), [&](const model::Setting& setting) {
      return setting.recorded != model::Recorded::always && is_option(setting, word);
    });
    if (refused)
      throw UserError(status_usage, fmt::format("{}: is not an option of campaign init", word),
                      "give it to campaign run or campaign report, if they take it");
  }
}

} // namespace

std::string absolute_folder(const std::string& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).string();
}

void enter_folder_of(const campaign::Subject& subject, const std::string& folder) {
  std::error_code error;
  fs::current_path(fs::path(folder) / subject.folder, error);
  if (error)
    throw UserError(status_usage,
                    fmt::format("{}: where its sources are: {}: {}", folder, subject.folder, error.message()),
                    "move the campaign's folder back next to its sources");
}

hunt::Options options_of_words(const std::vector<std::string>& command, const std::string& folder,
                               const Permissions& permissions) {
  check_words(command, campaign::store_of(folder));
  std::vector<std::string> words = command;
  const auto has = [&](std::string_view option) {
    const auto end = std::ranges::find(words, "--");
    return std::any_of(words.begin(), end, [&](const std::string& word) { return word.starts_with(option); });
  };
  std::vector<std::string> more;
  const std::string own = folder + "/faultline.toml";
  if (std::error_code error; !has("--config") && !has("--no-config") && fs::is_regular_file(own, error))
    more = {"--config", own};
  if (permissions.trust == program::Trust::yes)
    more.emplace_back("--trust-flags");
  words.insert(words.begin() + 1, more.begin(), more.end());
  CommandLine line = line_of(words);
  line.source = folder;
  line.flags = program::flags_from_file(line.flags, {campaign::store_of(folder), program::ProjectFolders({folder})},
                                        permissions.trust);
  HuntRequest request = parse_hunt(line);
  hunt::Options options = std::move(request.options);
  if (!request.seen.empty())
    options.seen = std::make_shared<const model::SeenRuns>(load_seen(request.seen));
  options.command = command;
  options.worker.confinement = permissions.confinement;
  options.sources.readable = permissions.confinement.readable;
  options.sources.of_saved_command = true;
  return options;
}

hunt::Options options_of_campaign(const campaign::Subject& subject, const std::string& folder,
                                  const Permissions& permissions) {
  return options_of_words(subject.command, folder, permissions);
}

CampaignState state_named(const std::string& word) {
  std::error_code error;
  const size_t mark = word.rfind('@');
  if (mark == std::string::npos || fs::exists(campaign::store_of(word), error))
    return {campaign::open_campaign(word, campaign::Database::Opening::read), word, {}};
  CampaignState state{
      campaign::open_campaign(word.substr(0, mark), campaign::Database::Opening::read), word.substr(0, mark), {}};
  state.run = campaign::run_named(*state.database, word.substr(mark + 1));
  return state;
}

namespace {

constexpr const char* init_examples = R"(Examples:
  faultline campaign init night libfoo.a                 what a build with faultline cc has made
  faultline campaign init night src/ -- -Iinclude        a folder of sources, with flags
  faultline campaign init night -p build --seed 7        all of a build's database

The options are those of faultline hunt that say what to hunt in, and what counts; paths are relative to the current
folder, as in a hunt. Settings by function stand in the project's faultline.toml, or in DIR/faultline.toml.)";

constexpr const char* empty_settings = R"(# Settings of this campaign: docs/configuration.md has all keys. For instance:
#
# threshold = 1e-6
#
# [function.'gsl_sf_bessel_*']
# range = { x = [0, 1e3] }
)";

// Returns the current folder, relative to the campaign's folder if it is near, so that both can move together.
std::string folder_from(const fs::path& campaign) {
  const fs::path here = fs::current_path(), near = here.lexically_relative(campaign);
  const bool is_near = !near.empty() && std::distance(near.begin(), near.end()) <= 3; // a guess: ../../..
  return is_near ? near.string() : here.string();
}

} // namespace

int campaign_init(const CommandLine& line) {
  if (line.words.empty() || line.words.front() == "--help" || line.words.front() == "-h")
    throw Help{fmt::format("Begins a campaign in a new folder.\nUsage: faultline campaign init DIR SOURCE... [options "
                           "of faultline hunt] [-- COMPILER-FLAGS]\n\n{}\n",
                           init_examples)};
  const std::string& folder = line.words.front();
  if (folder.starts_with("-"))
    throw UserError(status_usage, fmt::format("{}: the folder comes first", folder),
                    "faultline campaign init DIR SOURCE...");
  campaign::Subject subject;
  subject.command = {"hunt"};
  subject.command.insert(subject.command.end(), line.typed.begin() + 2, line.typed.end());
  // These must be given on each command line, so they are not recorded.
  const bool trusted = std::erase(subject.command, "--trust-flags") > 0;
  const bool quiet = std::erase(subject.command, "-q") + std::erase(subject.command, "--quiet") > 0;
  const std::string absolute = absolute_folder(folder);
  subject.folder = folder_from(absolute);
  hunt::Options options =
      options_of_words(subject.command, absolute, {trusted ? program::Trust::yes : program::Trust::no, {}});
  const hunt::HuntTargets selected =
      hunt::select_unmeasured_targets(options); // reports functions that cannot be tested
  subject.seed = options.settings.seed;
  campaign::NewCampaign made(absolute, subject);
  std::error_code error;
  if (!options.configuration && !fs::exists(absolute + "/faultline.toml", error))
    OutputFile(absolute + "/faultline.toml").write(empty_settings);
  made.keep();
  const auto unmeasured =
      std::ranges::count_if(selected.targets, [](const auto& target) { return !target.suitable(); });
  if (!quiet)
    print(fmt::format(
        "{}: {}{}; faultline campaign run {}\n", folder, report::counted(selected.targets.size(), "function"),
        unmeasured > 0 ? fmt::format(" ({} of them once their arrays are measured)", unmeasured) : "", folder));
  return base::status_nothing;
}

namespace {

constexpr const char* compare_examples = R"(Examples:
  faultline campaign compare night@1 night            since the first run
  faultline campaign compare night@8f2c10 night       since that commit
  faultline campaign compare release today -o -       two campaigns; JSON on standard output

The exit status is 1 if B has problems that A does not have, of the tier --fail-on or a higher one.)";

} // namespace

int campaign_compare(const CommandLine& line) {
  const model::RawSettings raw = parse_campaign({"compare",
                                                 "Shows what is new, fixed and changed between two states.",
                                                 "A B",
                                                 {"report", "fail-on", "quiet"},
                                                 compare_examples},
                                                line);
  const std::vector<std::string>& words = raw.values(operands);
  if (words.size() != 2)
    throw UserError(status_usage, "two states are compared", "faultline campaign compare DIR@RUN DIR");
  const std::vector<OutputFile> files = json_files(raw.values("report"));
  const model::Tier tier = fail_on(raw, {});
  const CampaignState from = state_named(words[0]), to = state_named(words[1]);
  const model::Report before = campaign::stored_report(*from.database, from.run);
  const model::Report after = campaign::stored_report(*to.database, to.run);
  const model::Comparison comparison = model::compare(before, after);
  bool is_told = false;
  for (const OutputFile& file : files) {
    file.write(model::json_text(to_json(comparison), 2) + "\n");
    is_told = is_told || file.is_standard_output();
  }
  if (!is_told)
    print(report::comparison_text(comparison, report::style_of(STDOUT_FILENO), raw.is_on("quiet")));
  return has_new(comparison, tier) ? base::status_found : base::status_nothing;
}

namespace {

constexpr const char* merge_examples = R"(Examples:
  faultline campaign merge night findings.json other.json
  faultline campaign merge night brought/*.results

The files are those of faultline hunt -o FILE.json, or of campaign report. Findings in functions that the campaign has
are added, each once however often a file is merged; the next run tries their inputs, and drops what it does not see.
Or they are results of faultline worker --share, from a machine that does not see the folder: their rounds count as if
they had been carried out here, each once.)";

struct Merged {
  uint64_t findings = 0;
  uint64_t foreign = 0; // functions that the campaign does not have
};

class Merging {
public:
  explicit Merging(campaign::Database& database) : database_(database) {
    for (campaign::TargetRow& row : campaign::targets_of(database))
      if (row.state != campaign::TargetState::gone)
        rows_.emplace(row.function, std::move(row));
    const std::vector<campaign::RunRow> runs = campaign::runs_of(database);
    if (runs.empty())
      throw UserError(status_usage, fmt::format("{}: knows no functions yet", database.file()),
                      "faultline campaign run DIR first");
    run_ = runs.back().id;
  }

  void add(const std::string& file) {
    const model::Report report = load_findings(file);
    campaign::Transaction transaction(database_);
    for (const model::TargetReport& target : report.targets) {
      const auto row = rows_.find(target.function);
      if (row == rows_.end())
        ++merged_.foreign;
      else
        merged_.findings += campaign::merge_findings(database_, row->second, target, run_);
    }
    transaction.commit();
  }
  const Merged& merged() const { return merged_; }
  int64_t run() const { return run_; }

private:
  campaign::Database& database_;
  std::map<std::string, campaign::TargetRow> rows_; // by function
  int64_t run_ = 0;
  Merged merged_;
};

std::string text_of(const Merged& merged) {
  std::string text =
      fmt::format("{}, to be confirmed by the next run", report::counted(merged.findings, "new finding"));
  if (merged.foreign > 0)
    text += fmt::format("; {} {} not in this campaign", report::counted(merged.foreign, "function"),
                        merged.foreign == 1 ? "is" : "are");
  return text + "\n";
}

// Merges the rounds of unchanged functions.
std::string merge_results(campaign::Database& database, const std::vector<std::string>& files,
                          const std::string& folder, int64_t run) {
  const campaign::Subject subject = campaign::subject_of(database);
  enter_folder_of(subject, folder);
  const hunt::Options options = options_of_campaign(subject, folder, {});
  std::vector<campaign::TargetRow> rows = campaign::targets_of(database);
  campaign::Merging merging({database, options, subject.seed, run, {}}, rows,
                            [](size_t, const campaign::RoundResult&) {});
  campaign::FileNews all;
  for (const std::string& file : files) {
    const campaign::FileNews news = merging.merge(file);
    all.merged += news.merged;
    all.known += news.known;
    all.refused += news.refused;
  }
  return fmt::format("{}, {} known, {} skipped\n", report::counted(all.merged, "new round"), all.known,
                     report::counted(all.refused, "line"));
}

} // namespace

int campaign_merge(const CommandLine& line) {
  const model::RawSettings raw = parse_campaign(
      {"merge", "Adds findings that were made elsewhere.", "DIR FILE...", {"quiet"}, merge_examples}, line);
  const std::vector<std::string>& words = raw.values(operands);
  if (words.size() < 2)
    throw UserError(status_usage, "nothing to merge", "faultline campaign merge DIR FILE.json...");
  const std::string folder = absolute_folder(words.front());
  const auto database = campaign::open_campaign(folder, campaign::Database::Opening::change);
  const campaign::RunLock lock(folder);
  Merging merging(*database);
  std::vector<std::string> results;
  for (size_t i = 1; i < words.size(); ++i)
    if (campaign::is_results_file(words[i]))
      results.push_back(absolute_folder(words[i]));
    else
      merging.add(words[i]);
  std::string told = results.empty() ? "" : merge_results(*database, results, folder, merging.run());
  if (results.size() < words.size() - 1)
    told += text_of(merging.merged());
  campaign::join_shared_places(*database);
  if (!raw.is_on("quiet"))
    print(told);
  return base::status_nothing;
}

namespace {

constexpr const char* campaign_report_examples = R"(Examples:
  faultline campaign report night                    the problems, on standard output
  faultline campaign report night -o night.html      one page: how it stands, and what is new since the last page
  faultline campaign report night -o night.sarif     all formats of hunt -o
  faultline campaign report night@12 -o then.json    as it was after run 12, or DIR@COMMIT

The exit status is 1 if there are problems of the tier --fail-on or a higher one, 4 if there are none and the search in
some function was not conclusive, and 0 otherwise.)";

// Makes paths absolute, because the process changes its folder.
std::vector<std::string> absolute_files(const std::vector<std::string>& files) {
  std::vector<std::string> absolute;
  for (const std::string& file : files)
    absolute.push_back(file == "-" ? file : std::filesystem::absolute(file).string());
  return absolute;
}

// Sets the replay commands of all findings. They name the first JSON file that is written.
void name_replays(model::Report& report, const std::vector<std::string>& files) {
  const auto json = std::ranges::find_if(files, [](const std::string& file) { return file.ends_with(".json"); });
  if (json == files.end())
    return;
  for (model::TargetReport& target : report.targets)
    for (model::Finding& finding : target.findings)
      finding.replay = model::shell_line({"faultline", "replay", *json, "--only", finding.id});
}

// Returns the report, with the contents of the campaign's page if one is written. A past state has no such page,
// because only its findings are known.
model::Report report_of(const CampaignState& state, std::string* shown) {
  const campaign::Snapshot snapshot(*state.database);
  model::Report report = campaign::stored_report(*state.database, state.run);
  if (shown) {
    *shown = campaign::state_of_page(*state.database);
    report.campaign = std::make_shared<const model::CampaignPage>(
        campaign::campaign_page(*state.database, state.folder, shown_problems(report)));
  }
  return report;
}

// Notes the page in the store. A campaign of another user may be readable but not writable.
void note_page(const std::string& folder, const std::string& shown, const model::RankedReport& report) {
  try {
    const auto database = campaign::open_campaign(folder, campaign::Database::Opening::change);
    campaign::note_page(*database, shown, shown_problems(report));
  } catch (const base::UserError& problem) {
    fmt::print(stderr, "faultline: warning: the next page will not know of this one: {}\n",
               report::printable(base::first_line(problem.what())));
  }
}

} // namespace

int campaign_report(const CommandLine& line) {
  const model::RawSettings raw =
      parse_campaign({"report",
                      "Shows or writes what a campaign has found.",
                      "DIR",
                      {"report", "include", "vectors", "no-plots", "limit", "verbose", "quiet", "fail-on",
                       "trust-flags", "compile-time", "allow-read", "unsafe-no-sandbox"},
                      campaign_report_examples},
                     line);
  const CampaignState state = state_named(folder_in(raw, "report"));
  const std::string folder = absolute_folder(state.folder);
  const std::vector<std::string> files = absolute_files(raw.values("report"));
  const std::vector<Writer> writers = cli::writers(files);
  const Permissions permissions = permissions_from(raw);
  const bool has_page = !state.run && std::ranges::any_of(writers, &Writer::draws);
  std::string shown; // the state of the campaign that the page shows
  model::Report report = report_of(state, has_page ? &shown : nullptr);
  const campaign::Subject subject = campaign::subject_of(*state.database);
  const program::SavedProject project(fs::path(folder).parent_path().string());
  enter_folder_of(subject, folder);
  report.folders = project.folders(subject.command);
  report.fail_on = fail_on(raw, {});
  name_replays(report, raw.values("report"));
  const model::RankedReport ranked(report);
  if (files.empty()) {
    report::Screen screen = screen_from(raw);
    screen.fail_on = report.fail_on;
    screen.has_page = writes_page(report.command);
    print(report::screen_text(ranked, report::source_files(report.folders), screen));
  }
  const auto options = [&] {
    hunt::Options made_with = options_of_campaign(subject, folder, permissions);
    made_with.headers = raw.values("include");
    return made_with;
  };
  const Interrupt interrupt;
  const ProgressMode mode = progress_mode(raw.is_on("quiet"), STDERR_FILENO);
  if (!raw.is_on("no-plots"))
    draw(report, ranked.problems, writers, options, interrupt.flag(), mode);
  write_all(writers, ranked, {options, vectors_from(raw), interrupt.flag(), mode});
  if (has_page)
    note_page(folder, shown, ranked);
  return model::exit_status(ranked);
}

} // namespace faultline::cli
