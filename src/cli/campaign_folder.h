// A campaign's folder, from the command line: its store, and what a hunt in its sources is asked to do.
#pragma once

#include "campaign/store/campaign_file.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/parser.h"
#include "hunt/extents.h"

#include <initializer_list>
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

// The commands of `faultline campaign`: functions of their command line, from the command's own name on, that return
// the exit status.
int campaign_init(const CommandLine& line);
int campaign_run(const CommandLine& line);
int campaign_status(const CommandLine& line);
int campaign_stop(const CommandLine& line);
int campaign_report(const CommandLine& line);
int campaign_compare(const CommandLine& line);
int campaign_merge(const CommandLine& line);

// Reads such a command line. Of the options of campaigns it takes those with these keys. Throws Help or UserError.
struct CampaignForm {
  const char* name;
  const char* description;
  const char* operands; // as help shows them: DIR
  std::initializer_list<const char*> keys;
  const char* examples = "";
};
finding::Said parse_campaign(const CampaignForm& form, const CommandLine& line);

// The first word that belongs to no option. Throws UserError if there is none.
std::string folder_in(const finding::Said& said, const char* command);

} // namespace faultline::cli
