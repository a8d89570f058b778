#include "campaign/status.h"

#include "base/clock.h"
#include "campaign/store/lock.h"
#include "cli/campaign/campaign_commands.h"
#include "cli/campaign/campaign_folder.h"
#include "cli/interrupt.h"
#include "cli/output_file.h"
#include "cli/progress.h"
#include "cli/terminal/terminal_view.h"
#include "frontend/error.h"
#include "report/campaign/status_text.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <thread>
#include <unistd.h>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr const char* examples = R"(Examples:
  faultline campaign status night              once
  faultline campaign status night --watch      in place, until the run ends; Ctrl-C ends the watching, not the run

Where standard output is no terminal, --watch prints a line every few seconds. The exit status is 0.)";

class Watch {
public:
  Watch(campaign::Database& database, const std::string& folder) : database_(database), folder_(folder) {}

  // Until the run ends, or somebody has seen enough.
  void run() {
    constexpr std::chrono::milliseconds glance(100); // after which an end is noticed
    const double pause = is_terminal_ ? 1 : ProgressDisplay::plain_seconds;
    const Interrupt interrupt;
    base::Deadline next(0);
    while (!interrupt.flag() && campaign::holder_of_lock(folder_)) {
      if (next.passed()) {
        show();
        next = base::Deadline(pause);
      }
      std::this_thread::sleep_for(glance);
    }
    view_.clear();
  }

private:
  void show() {
    const finding::CampaignStatus status = campaign::status_of(database_, folder_);
    if (!is_terminal_)
      return print(report::status_line(status) + "\n");
    const TerminalSize size = terminal_size(stdout);
    view_.show(report::status_text(status, report::style_of(STDOUT_FILENO),
                                   {.full = false, .columns = size.columns - 1, .lines = size.lines - 1}));
  }

  campaign::Database& database_;
  const std::string& folder_;
  const bool is_terminal_ = isatty(STDOUT_FILENO) != 0;
  TerminalView view_{stdout};
};

} // namespace

int campaign_status(const CommandLine& line) {
  const finding::Said said = parse_campaign(
      {"status", "Tells how a campaign stands, also while it runs.", "DIR", {"watch", "verbose", "quiet"}, examples},
      line);
  const std::string folder = folder_in(said, "status");
  const auto database = campaign::open_campaign(folder, campaign::Database::Opening::read);
  if (said.is_on("watch"))
    Watch(*database, folder).run();
  const finding::CampaignStatus status = campaign::status_of(*database, folder);
  if (said.is_on("quiet")) {
    print(report::status_line(status) + "\n");
    return frontend::status_nothing;
  }
  const size_t columns = isatty(STDOUT_FILENO) ? terminal_size(stdout).columns - 1 : TerminalSize().columns;
  print(report::status_text(status, report::style_of(STDOUT_FILENO),
                            {.full = said.is_on("verbose"), .columns = columns, .lines = {}}));
  return frontend::status_nothing;
}

int campaign_stop(const CommandLine& line) {
  constexpr double patience = 60; // jobs that are under way are given a few seconds
  const finding::Said said =
      parse_campaign({"stop", "Ends the run of another process. What was found is kept.", "DIR", {"quiet"}}, line);
  const std::string folder = folder_in(said, "stop");
  campaign::open_campaign(folder, campaign::Database::Opening::read); // or it is none
  const std::optional<pid_t> holder = campaign::holder_of_lock(folder);
  const auto tell = [&](const std::string& text) {
    if (!said.is_on("quiet"))
      print(text);
  };
  if (!holder) {
    tell(fmt::format("{}: no run is under way\n", folder));
    return frontend::status_nothing;
  }
  if (*holder == 0)
    throw UserError(status_usage, fmt::format("{}: the run is not one of this machine", folder), "stop it there");
  if (kill(*holder, SIGTERM) != 0)
    throw UserError(status_usage, fmt::format("process {}: {}", *holder, std::strerror(errno)),
                    "whoever began the run may stop it");
  for (const base::Deadline deadline(patience); !deadline.passed();) {
    if (campaign::holder_of_lock(folder) != holder) {
      tell(fmt::format("{}: the run of process {} has ended\n", folder, *holder));
      return frontend::status_nothing;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  throw UserError(frontend::status_inconclusive, fmt::format("process {} has not ended yet", *holder),
                  "it was asked to; kill -9 loses nothing either");
}

} // namespace faultline::cli
