#include "cli/campaign/campaign_commands.h"
#include "cli/command_table.h"
#include "cli/commands.h"
#include "frontend/error.h"
#include "frontend/names/nearest.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr const char* examples = R"(Commands:
  init DIR SOURCE...    begin a campaign: sources, or what a build has made, and the options of hunt
  run DIR               go on with it, until the time or the evaluations are used up: --time 8h, --evals 20000, -j 8,
                        --slurm
  status DIR            what was found, the yield over time, and whether more time is likely to pay; --watch
  stop DIR              end the run of another process; nothing is lost
  report DIR            the problems, as hunt shows and writes them: -o campaign.html, a page of the whole library
  compare A B           what is new, fixed, changed: two campaigns, or states of one: DIR@RUN, DIR@COMMIT
  merge DIR FILE...     add the findings of hunts, FILE.json, or results of tasks elsewhere

Examples:
  faultline campaign init night libfoo.a
  faultline campaign run night --time 8h -j 8
  faultline campaign status night
  faultline campaign report night -o night.html
  faultline campaign compare night@v1.2 night

faultline campaign COMMAND --help has the options of one command. Exit status, beside 2 for wrong usage and 3 for code that
does not compile: run has 0 when it ended as it was asked to, whatever it found, and 4 if it was stopped before; report has
1 if there are problems of the tier --fail-on or a higher one, and compare if there are new ones; all others have 0.)";

struct CampaignCommand {
  const char* name;
  int (*run)(const CommandLine&);
};
constexpr CampaignCommand commands[] = {
    {"init", campaign_init},     {"run", campaign_run},         {"status", campaign_status}, {"stop", campaign_stop},
    {"report", campaign_report}, {"compare", campaign_compare}, {"merge", campaign_merge},
};

[[noreturn]] void refuse(const std::string& word) {
  const std::vector<std::string> names = words_of(Operand::campaign_commands);
  if (word.empty())
    throw UserError(status_usage, "no command of campaign given", fmt::format("one of {}", fmt::join(names, ", ")));
  const std::vector<std::string> close = frontend::nearest(word, names);
  throw UserError(status_usage, fmt::format("unknown command 'campaign {}'", word),
                  fmt::format("{}", fmt::join(close.empty() ? names : close, ", ")));
}

} // namespace

int campaign(const CommandLine& line) {
  const std::string word = line.words.empty() ? "" : line.words.front();
  const auto* found = std::ranges::find_if(commands, [&](const CampaignCommand& each) { return word == each.name; });
  if (found != std::end(commands))
    return found->run(line_of(std::vector<std::string>(line.typed.begin() + 1, line.typed.end())));
  if (word.starts_with("-"))
    parse({.name = "faultline campaign",
           .description = "Hunts in whole libraries, by rounds, and goes on where it was after whatever ended it.",
           .examples = examples,
           .operand = "COMMAND",
           .operand_help = "one of the commands below, with its DIR",
           .many_operands = true,
           .options = options_of(finding::command::campaign)},
          line);
  refuse(word.starts_with("-") ? "" : word);
}

finding::Said parse_campaign(const CampaignForm& form, const CommandLine& line) {
  refuse_flags(line);
  std::vector<finding::Setting> options = options_of(finding::command::campaign);
  std::erase_if(options, [&](const finding::Setting& setting) {
    return std::ranges::none_of(form.keys, [&](const char* key) { return std::string_view(key) == setting.key; });
  });
  return parse({.name = fmt::format("faultline campaign {}", form.name),
                .description = form.description,
                .examples = form.examples,
                .operand = form.operands,
                .operand_help = "the folder of a campaign, and what else the command is about",
                .many_operands = true,
                .options = options},
               line);
}

std::string folder_in(const finding::Said& said, const char* command) {
  if (said.values(operands).empty())
    throw UserError(status_usage, "no folder of a campaign given", fmt::format("faultline campaign {} DIR", command));
  return said.values(operands).front();
}

} // namespace faultline::cli
