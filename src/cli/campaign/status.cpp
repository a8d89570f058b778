#include "campaign/library/status.h"

#include "campaign/store/lock.h"
#include "cli/campaign/campaign_commands.h"
#include "cli/campaign/campaign_folder.h"
#include "cli/output_file.h"
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

int campaign_status(const CommandLine& line) {
  const finding::Said said =
      parse_campaign({"status", "Tells how a campaign stands, also while it runs.", "DIR", {"verbose"}}, line);
  const std::string folder = folder_in(said, "status");
  const auto database = campaign::open_campaign(folder, campaign::Database::Opening::read);
  const finding::CampaignStatus status = campaign::status_of(*database, folder);
  print(report::status_text(status, report::style_of(STDOUT_FILENO), said.is_on("verbose")));
  return frontend::status_nothing;
}

int campaign_stop(const CommandLine& line) {
  constexpr std::chrono::seconds patience(60); // jobs that are under way are given a few seconds
  const finding::Said said =
      parse_campaign({"stop", "Ends the run of another process. What was found is kept.", "DIR", {}}, line);
  const std::string folder = folder_in(said, "stop");
  campaign::open_campaign(folder, campaign::Database::Opening::read); // or it is none
  const std::optional<pid_t> holder = campaign::holder_of_lock(folder);
  if (!holder) {
    print(fmt::format("{}: no run is under way\n", folder));
    return frontend::status_nothing;
  }
  if (*holder == 0)
    throw UserError(status_usage, fmt::format("{}: the run is not one of this machine", folder), "stop it there");
  if (kill(*holder, SIGTERM) != 0)
    throw UserError(status_usage, fmt::format("process {}: {}", *holder, std::strerror(errno)),
                    "whoever began the run may stop it");
  for (const auto until = std::chrono::steady_clock::now() + patience; std::chrono::steady_clock::now() < until;) {
    if (campaign::holder_of_lock(folder) != holder) {
      print(fmt::format("{}: the run of process {} has ended\n", folder, *holder));
      return frontend::status_nothing;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  throw UserError(frontend::status_inconclusive, fmt::format("process {} has not ended yet", *holder),
                  "it was asked to; kill -9 loses nothing either");
}

} // namespace faultline::cli
