#include "campaign/hunt.h"
#include "cli/command.h"
#include "cli/hunt.h"
#include "cli/saved.h"
#include "frontend/error.h"
#include "frontend/nearest.h"
#include "report/excerpt.h"
#include "report/writer.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr const char* examples = R"(Examples:
  faultline replay findings.json
  faultline replay findings.json --only 3f6a90c1
  faultline replay corpus/                        all that faultline hunt --corpus corpus kept

It is run in the folder where the hunt was: the file holds the hunt's command. The exit status is 0 if everything was
reproduced and 1 if not.)";

// Findings of one command.
struct Batch {
  std::string file; // or the first of its files
  campaign::Report report;
};

// The files of a corpus, those of one command together: its program is loaded once, and a target has one worker.
std::vector<Batch> batches_of(const std::string& folder) {
  std::vector<Batch> batches;
  for (SavedFile& file : load_folder(folder)) {
    const auto same =
        std::ranges::find_if(batches, [&](const Batch& batch) { return batch.report.command == file.report.command; });
    if (same == batches.end()) {
      batches.push_back({folder + "/" + file.name, std::move(file.report)});
      continue;
    }
    std::vector<campaign::TargetReport>& targets = same->report.targets;
    for (campaign::TargetReport& target : file.report.targets) {
      const auto known = std::ranges::find_if(targets, [&](const campaign::TargetReport& other) {
        return other.function == target.function && other.file == target.file;
      });
      if (known == targets.end())
        targets.push_back(std::move(target));
      else
        std::ranges::move(target.findings, std::back_inserter(known->findings));
    }
  }
  return batches;
}

void check_ids(const std::vector<Batch>& batches, const std::vector<std::string>& wanted) {
  std::vector<std::string> ids;
  for (const Batch& batch : batches)
    for (const campaign::TargetReport& target : batch.report.targets)
      for (const campaign::Finding& finding : target.findings)
        ids.push_back(finding.id);
  for (const std::string& id : wanted)
    if (std::ranges::find(ids, id) == ids.end()) {
      const std::vector<std::string> close = frontend::nearest(id, ids);
      throw UserError(status_usage, fmt::format("--only {}: there is no such finding in the file", id),
                      close.empty() ? "leave out --only" : fmt::format("{}", fmt::join(close, ", ")));
    }
}

// A function that is gone or no longer compiles: the finding is not there any more, and the others still have a turn.
std::vector<campaign::ReplayResult> run_again(campaign::Replayer& replayer, const campaign::TargetReport& target,
                                              const std::vector<campaign::Finding>& findings) {
  try {
    return replayer.replay(target, findings);
  } catch (const UserError& problem) {
    const std::string what = problem.what();
    return std::vector<campaign::ReplayResult>(findings.size(), {false, what.substr(0, what.find('\n'))});
  }
}

// Counts, and prints a line for each finding.
class Replay {
public:
  explicit Replay(const std::vector<std::string>& only) : only_(only) {}

  void run(const Batch& batch) {
    campaign::Replayer replayer(saved_options(batch.report, batch.file));
    for (const campaign::TargetReport& target : batch.report.targets) {
      const std::vector<campaign::Finding> findings = chosen(target);
      const std::vector<campaign::ReplayResult> results = run_again(replayer, target, findings);
      for (size_t i = 0; i < findings.size(); ++i)
        tell(target, findings[i], results[i]);
    }
  }

  // One whose program is not to be had.
  void give_up(const Batch& batch, const std::string& why) {
    for (const campaign::TargetReport& target : batch.report.targets)
      for (const campaign::Finding& finding : chosen(target))
        tell(target, finding, {false, why.substr(0, why.find('\n'))});
  }

  int end() const {
    report::print(fmt::format("{} reproduced, {} not\n", reproduced_, lost_));
    return lost_ == 0 ? 0 : 1;
  }

private:
  std::vector<campaign::Finding> chosen(const campaign::TargetReport& target) const {
    std::vector<campaign::Finding> findings = target.findings;
    std::erase_if(findings, [&](const campaign::Finding& finding) {
      return !only_.empty() && std::ranges::find(only_, finding.id) == only_.end();
    });
    return findings;
  }

  void tell(const campaign::TargetReport& target, const campaign::Finding& finding,
            const campaign::ReplayResult& result) {
    ++(result.reproduced ? reproduced_ : lost_);
    report::print(report::printable(fmt::format(
                      "{} {} {} in {}{}{}", result.reproduced ? "reproduced    " : "not reproduced", finding.id,
                      campaign::text(finding.kind), target.function, result.what.empty() ? "" : ": ", result.what)) +
                  "\n");
  }

  const std::vector<std::string>& only_;
  size_t reproduced_ = 0, lost_ = 0;
};

} // namespace

int replay(const Line& line) {
  CLI::App app("Runs saved findings again.", "faultline replay");
  app.footer(examples);
  std::string file;
  std::vector<std::string> only;
  app.add_option("FINDINGS.json|CORPUS", file,
                 "what faultline hunt -o FINDINGS.json wrote, or the folder of hunt --corpus")
      ->option_text(" ");
  app.add_option("--only", only, "this finding; repeatable")->allow_extra_args(false)->option_text("ID");
  parse(app, line);
  refuse_flags(line);

  std::error_code error;
  const bool corpus = std::filesystem::is_directory(file, error);
  std::vector<Batch> batches;
  if (corpus)
    batches = batches_of(file);
  else
    batches.push_back({file, load_findings(file)});
  check_ids(batches, only);
  Replay replay(only);
  for (const Batch& batch : batches) {
    try {
      replay.run(batch);
    } catch (const UserError& problem) {
      if (!corpus)
        throw;
      replay.give_up(batch, problem.what()); // the others have their turn
    }
  }
  return replay.end();
}

} // namespace faultline::cli
