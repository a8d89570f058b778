#include "campaign/campaign_page.h"
#include "campaign/store/report_table.h"
#include "campaign/stored_report.h"
#include "cli/campaign/campaign_commands.h"
#include "cli/campaign/campaign_folder.h"
#include "cli/drawing.h"
#include "cli/interrupt.h"
#include "cli/output_file.h"
#include "cli/writer.h"
#include "finding/problem.h"
#include "finding/shell.h"
#include "frontend/error.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

namespace faultline::cli {
namespace {

constexpr const char* examples = R"(Examples:
  faultline campaign report night                    the problems, on standard output
  faultline campaign report night -o night.html      one page: how it stands, and what is new since the last page
  faultline campaign report night -o night.sarif     all formats of hunt -o
  faultline campaign report night@12 -o then.json    as it was after run 12, or DIR@COMMIT

The exit status is 1 if there are problems of the tier --fail-on or a higher one, 4 if there are none and the search in
some function was not conclusive, and 0 otherwise.)";

// Where the user meant them to be: the process goes elsewhere.
std::vector<std::string> absolute_files(const std::vector<std::string>& files) {
  std::vector<std::string> absolute;
  for (const std::string& file : files)
    absolute.push_back(file == "-" ? file : std::filesystem::absolute(file).string());
  return absolute;
}

// The first JSON file that is written holds them all.
void name_replays(finding::Report& report, const std::vector<std::string>& files) {
  const auto json = std::ranges::find_if(files, [](const std::string& file) { return file.ends_with(".json"); });
  if (json == files.end())
    return;
  for (finding::TargetReport& target : report.targets)
    for (finding::Finding& finding : target.findings)
      finding.replay = finding::shell_line({"faultline", "replay", *json, "--only", finding.id});
}

// With what its page shows, if there is one; that of a past state is a hunt's, as only findings are known of it.
finding::Report report_of(const CampaignState& state, std::string* shown) {
  const campaign::Snapshot snapshot(*state.database);
  finding::Report report = campaign::stored_report(*state.database, state.run);
  if (shown) {
    *shown = campaign::state_of_page(*state.database);
    report.campaign = std::make_shared<const finding::CampaignPage>(
        campaign::campaign_page(*state.database, state.folder, shown_problems(report)));
  }
  return report;
}

// Somebody else's campaign may be read and not written.
void note_page(const std::string& folder, const std::string& shown, const finding::RankedReport& report) {
  try {
    const auto database = campaign::open_campaign(folder, campaign::Database::Opening::change);
    campaign::note_page(*database, shown, shown_problems(report));
  } catch (const frontend::UserError& problem) {
    const std::string what = problem.what();
    fmt::print(stderr, "faultline: warning: the next page will not know of this one: {}\n",
               report::printable(what.substr(0, what.find('\n'))));
  }
}

} // namespace

int campaign_report(const CommandLine& line) {
  const finding::Said said = parse_campaign({"report",
                                             "Shows or writes what a campaign has found.",
                                             "DIR",
                                             {"report", "include", "vectors", "no-plots", "limit", "verbose", "quiet",
                                              "fail-on", "trust-flags", "allow-read", "unsafe-no-sandbox"},
                                             examples},
                                            line);
  const CampaignState state = state_named(folder_in(said, "report"));
  const std::string folder = absolute_folder(state.folder);
  const std::vector<std::string> files = absolute_files(said.values("report"));
  const std::vector<Writer> writers = cli::writers(files);
  const Permissions permissions = permissions_from(said);
  const bool has_page = !state.run && std::ranges::any_of(writers, &Writer::draws);
  std::string shown; // the state of the campaign that the page shows
  finding::Report report = report_of(state, has_page ? &shown : nullptr);
  const campaign::Subject subject = campaign::subject_of(*state.database);
  enter_folder_of(subject, folder);
  report.fail_on = fail_on(said, {});
  name_replays(report, said.values("report"));
  const finding::RankedReport ranked(report);
  if (files.empty()) {
    report::Screen screen = screen_from(said);
    screen.fail_on = report.fail_on;
    screen.has_page = writes_page(report.command);
    print(report::screen_text(ranked, report::source_files(), screen));
  }
  const auto options = [&] {
    campaign::Options made_with = options_of_campaign(subject, folder, permissions);
    made_with.headers = said.values("include");
    return made_with;
  };
  const Interrupt interrupt;
  const ProgressMode mode = progress_mode(said.is_on("quiet"), STDERR_FILENO);
  if (!said.is_on("no-plots"))
    draw(report, ranked.problems, writers, options, interrupt.flag(), mode);
  write_all(writers, ranked, {options, vectors_from(said), interrupt.flag(), mode});
  if (has_page)
    note_page(folder, shown, ranked);
  return finding::exit_status(ranked);
}

} // namespace faultline::cli
