#include "cli/campaign_folder.h"

#include "campaign/campaign_page.h"
#include "cli/hunt.h"
#include "cli/saved.h"
#include "frontend/error.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace faultline::cli {

namespace fs = std::filesystem;
using frontend::status_usage;
using frontend::UserError;

namespace {

void check_words(const std::vector<std::string>& command, const std::string& where) {
  if (command.empty() || command.front() != "hunt")
    throw UserError(status_usage, fmt::format("{}: its command is not a hunt", where), "");
  for (const std::string& word : command) {
    if (word == "--")
      return;
    const bool refused = std::ranges::any_of(options_of(finding::command::hunt), [&](const finding::Setting& setting) {
      return setting.recorded != finding::Recorded::always && is_option(setting, word);
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

campaign::Options options_of_words(const std::vector<std::string>& command, const std::string& folder,
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
  if (permissions.trust == frontend::Trust::yes)
    more.emplace_back("--trust-flags");
  words.insert(words.begin() + 1, more.begin(), more.end());
  CommandLine line = line_of(words);
  line.source = folder;
  line.flags = frontend::flags_from_file(line.flags, {campaign::store_of(folder), frontend::ProjectFolders({folder})},
                                         permissions.trust);
  HuntRequest request = parse_hunt(line);
  campaign::Options options = std::move(request.options);
  if (!request.seen.empty())
    options.seen = std::make_shared<const finding::SeenRuns>(load_seen(request.seen));
  options.command = command;
  options.worker.confinement = permissions.confinement;
  options.sources.readable = permissions.confinement.readable;
  return options;
}

campaign::Options options_of_campaign(const campaign::Subject& subject, const std::string& folder,
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

} // namespace faultline::cli
