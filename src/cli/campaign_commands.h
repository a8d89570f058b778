// A campaign's folder on the command line: its store, and the options of its hunt.
#pragma once

#include "campaign/store/campaign_file.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/parser.h"
#include "hunt/targets.h"

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>

namespace faultline::cli {

// Returns the absolute path without a trailing slash.
std::string absolute_folder(const std::string& folder);

// Changes to the folder in which the campaign's command was typed, because its paths are relative to that folder.
// Throws UserError if it is gone.
void enter_folder_of(const campaign::Subject& subject, const std::string& folder);

// Returns the options of its hunts, from its command and the current faultline.toml. The permissions of the code under
// test and the trust in flags come from the current command line alone. Throws UserError.
hunt::Options options_of_campaign(const campaign::Subject& subject, const std::string& folder,
                                  const Permissions& permissions);

// The same from the words of the command, before there is a campaign.
hunt::Options options_of_words(const std::vector<std::string>& command, const std::string& folder,
                               const Permissions& permissions);

// DIR, DIR@RUN or DIR@COMMIT.
struct CampaignState {
  std::unique_ptr<campaign::Database> database;
  std::string folder;
  std::optional<int64_t> run; // none: now
};
CampaignState state_named(const std::string& word);

// The commands of `faultline campaign`. They take the command line from their own name on and return the exit status.
int campaign_init(const CommandLine& line);
int campaign_run(const CommandLine& line);
int campaign_status(const CommandLine& line);
int campaign_stop(const CommandLine& line);
int campaign_report(const CommandLine& line);
int campaign_compare(const CommandLine& line);
int campaign_merge(const CommandLine& line);

// The form of such a command line. `keys` selects from the options of campaigns.
struct CampaignForm {
  const char* name;
  const char* description;
  const char* operands; // as help shows them: DIR
  std::initializer_list<const char*> keys;
  const char* examples = "";
};
// Throws Help or UserError.
model::RawSettings parse_campaign(const CampaignForm& form, const CommandLine& line);

// Returns the first operand. Throws UserError if there is none.
std::string folder_in(const model::RawSettings& raw, const char* command);

} // namespace faultline::cli
