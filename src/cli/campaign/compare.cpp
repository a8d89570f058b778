#include "finding/campaign/comparison.h"

#include "campaign/stored_report.h"
#include "cli/campaign/campaign_commands.h"
#include "cli/campaign/campaign_folder.h"
#include "cli/options.h"
#include "cli/output_file.h"
#include "finding/json/finding_json.h"
#include "frontend/error.h"
#include "report/campaign/comparison_text.h"

#include <fmt/format.h>
#include <unistd.h>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr const char* examples = R"(Examples:
  faultline campaign compare night@1 night            since the first run
  faultline campaign compare night@8f2c10 night       since that commit
  faultline campaign compare release today -o -       two campaigns; JSON on standard output

The exit status is 1 if B has problems that A does not have, of the tier --fail-on or a higher one.)";

} // namespace

int campaign_compare(const CommandLine& line) {
  const finding::Said said = parse_campaign({"compare",
                                             "Tells what is new, fixed and changed between two states.",
                                             "A B",
                                             {"report", "fail-on", "quiet"},
                                             examples},
                                            line);
  const std::vector<std::string>& words = said.values(operands);
  if (words.size() != 2)
    throw UserError(status_usage, "two states are compared", "faultline campaign compare DIR@RUN DIR");
  const std::vector<OutputFile> files = json_files(said.values("report"));
  const finding::Tier tier = fail_on(said, {});
  const CampaignState from = state_named(words[0]), to = state_named(words[1]);
  const finding::Report before = campaign::stored_report(*from.database, from.run);
  const finding::Report after = campaign::stored_report(*to.database, to.run);
  const finding::Comparison comparison = finding::compare(before, after);
  bool is_told = false;
  for (const OutputFile& file : files) {
    file.write(finding::json_text(to_json(comparison), 2) + "\n");
    is_told = is_told || file.is_standard_output();
  }
  if (!is_told)
    print(report::comparison_text(comparison, report::style_of(STDOUT_FILENO), said.is_on("quiet")));
  return has_new(comparison, tier) ? frontend::status_found : frontend::status_nothing;
}

} // namespace faultline::cli
