// A campaign's folder, from the command line: its store, and what a hunt in its sources is asked to do.
#pragma once

#include "campaign/store/campaign_file.h"
#include "cli/options.h"
#include "hunt/options.h"

#include <memory>
#include <optional>
#include <string>

namespace faultline::cli {

// The absolute path, without a slash at the end.
std::string absolute_folder(const std::string& folder);

// From now on the process is in the folder that the campaign's command was typed in, as its paths are relative to it.
// Throws UserError if that is gone.
void enter_folder_of(const campaign::Subject& subject, const std::string& folder);

// The options of its hunts, by its command and the faultline.toml of the moment. What the code under test may do, and
// whether flags are trusted, only the command line of now says. Throws UserError.
campaign::Options options_of_campaign(const campaign::Subject& subject, const std::string& folder,
                                      const Permissions& permissions);

// The same of the words, before there is a campaign.
campaign::Options options_of_words(const std::vector<std::string>& command, const std::string& folder,
                                   const Permissions& permissions);

// DIR, DIR@RUN or DIR@COMMIT.
struct CampaignState {
  std::unique_ptr<campaign::Database> database;
  std::string folder;
  std::optional<int64_t> run; // none: now
};
CampaignState state_named(const std::string& word);

} // namespace faultline::cli
