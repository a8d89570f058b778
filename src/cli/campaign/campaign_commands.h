// The commands of `faultline campaign`: functions of their command line, from the command's own name on, that return
// the exit status.
#pragma once

#include "cli/command_line.h"
#include "cli/parser.h"

#include <initializer_list>
#include <string>

namespace faultline::cli {

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
