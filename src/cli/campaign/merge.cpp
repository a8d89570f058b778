#include "campaign/recording.h"

#include "campaign/remote/merging.h"
#include "campaign/shared_places.h"
#include "campaign/store/campaign_file.h"
#include "campaign/store/lock.h"
#include "cli/campaign/campaign_commands.h"
#include "cli/campaign/campaign_folder.h"
#include "cli/output_file.h"
#include "cli/saved.h"
#include "frontend/error.h"
#include "report/wording.h"

#include <fmt/format.h>
#include <map>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr const char* examples = R"(Examples:
  faultline campaign merge night findings.json other.json
  faultline campaign merge night brought/*.results

The files are those of faultline hunt -o FILE.json, or of campaign report. Findings in functions that the campaign has
are added, each once however often a file is merged; the next run tries their inputs, and drops what it does not see.
Or they are results of faultline worker --share, from a machine that does not see the folder: their rounds count as if
they had been carried out here, each once.)";

struct Merged {
  uint64_t findings = 0;
  uint64_t foreign = 0; // functions that the campaign does not have
};

class Merging {
public:
  explicit Merging(campaign::Database& database) : database_(database) {
    for (campaign::TargetRow& row : campaign::targets_of(database))
      if (row.state != campaign::TargetState::gone)
        rows_.emplace(row.function, std::move(row));
    const std::vector<campaign::RunRow> runs = campaign::runs_of(database);
    if (runs.empty())
      throw UserError(status_usage, fmt::format("{}: knows no functions yet", database.file()),
                      "faultline campaign run DIR first");
    run_ = runs.back().id;
  }

  void add(const std::string& file) {
    const finding::Report report = load_findings(file);
    campaign::Transaction transaction(database_);
    for (const finding::TargetReport& target : report.targets) {
      const auto row = rows_.find(target.function);
      if (row == rows_.end())
        ++merged_.foreign;
      else
        merged_.findings += campaign::merge_findings(database_, row->second, target, run_);
    }
    transaction.commit();
  }
  const Merged& merged() const { return merged_; }
  int64_t run() const { return run_; }

private:
  campaign::Database& database_;
  std::map<std::string, campaign::TargetRow> rows_; // by function
  int64_t run_ = 0;
  Merged merged_;
};

std::string text_of(const Merged& merged) {
  std::string text =
      fmt::format("{}, to be confirmed by the next run", report::counted(merged.findings, "new finding"));
  if (merged.foreign > 0)
    text += fmt::format("; {} {} not in this campaign", report::counted(merged.foreign, "function"),
                        merged.foreign == 1 ? "is" : "are");
  return text + "\n";
}

// Rounds of functions as they are now.
std::string merge_results(campaign::Database& database, const std::vector<std::string>& files,
                          const std::string& folder, int64_t run) {
  const campaign::Subject subject = campaign::subject_of(database);
  enter_folder_of(subject, folder);
  const campaign::Options options = options_of_campaign(subject, folder, {});
  std::vector<campaign::TargetRow> rows = campaign::targets_of(database);
  campaign::Merging merging({database, options, subject.seed, run, {}}, rows, [](size_t, const campaign::Recorded&) {});
  campaign::FileNews all;
  for (const std::string& file : files) {
    const campaign::FileNews news = merging.merge(file);
    all.merged += news.merged;
    all.known += news.known;
    all.refused += news.refused;
  }
  return fmt::format("{}, {} that were known, {} left out\n", report::counted(all.merged, "new round"), all.known,
                     report::counted(all.refused, "line"));
}

} // namespace

int campaign_merge(const CommandLine& line) {
  const finding::Said said =
      parse_campaign({"merge", "Adds findings that were made elsewhere.", "DIR FILE...", {"quiet"}, examples}, line);
  const std::vector<std::string>& words = said.values(operands);
  if (words.size() < 2)
    throw UserError(status_usage, "nothing to merge", "faultline campaign merge DIR FILE.json...");
  const std::string folder = absolute_folder(words.front());
  const auto database = campaign::open_campaign(folder, campaign::Database::Opening::change);
  const campaign::RunLock lock(folder);
  Merging merging(*database);
  std::vector<std::string> results;
  for (size_t i = 1; i < words.size(); ++i)
    if (campaign::is_results_file(words[i]))
      results.push_back(absolute_folder(words[i]));
    else
      merging.add(words[i]);
  std::string told = results.empty() ? "" : merge_results(*database, results, folder, merging.run());
  if (results.size() < words.size() - 1)
    told += text_of(merging.merged());
  campaign::join_shared_places(*database);
  if (!said.is_on("quiet"))
    print(told);
  return frontend::status_nothing;
}

} // namespace faultline::cli
