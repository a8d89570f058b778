#include "hunt/replay.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/parser.h"
#include "cli/saved.h"
#include "cli/writer.h"
#include "frontend/error.h"
#include "frontend/names/nearest.h"
#include "report/excerpt.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr const char* examples = R"(Examples:
  faultline replay findings.json
  faultline replay findings.json --only 3f6a90c1
  faultline replay findings.json --strict         and check what the findings say
  faultline replay corpus/                        all that faultline hunt --corpus corpus kept

It is run in the folder where the hunt was: the file holds the hunt's command. The exit status is 0 if everything was
reproduced and 1 if not; with --strict, 1 also if a finding says something that is not so.)";

// Findings of one command.
struct Batch {
  std::string file; // or the first of its files
  finding::Report report;
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
    std::vector<finding::TargetReport>& targets = same->report.targets;
    for (finding::TargetReport& target : file.report.targets) {
      const auto known = std::ranges::find_if(targets, [&](const finding::TargetReport& other) {
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
  if (wanted.empty())
    return;
  std::vector<std::string> ids;
  for (const Batch& batch : batches)
    for (const finding::TargetReport& target : batch.report.targets)
      for (const finding::Finding& finding : target.findings)
        ids.push_back(finding.id);
  for (const std::string& id : wanted)
    if (std::ranges::find(ids, id) == ids.end()) {
      const std::vector<std::string> close = frontend::nearest(id, ids);
      throw UserError(status_usage, fmt::format("--only {}: there is no such finding in the file", id),
                      close.empty() ? "leave out --only" : fmt::format("{}", fmt::join(close, ", ")));
    }
}

// A function that is gone or no longer compiles: the finding is not there any more, and the others still have a turn.
std::vector<finding::ReplayResult> run_again(campaign::Replayer& replayer, const finding::TargetReport& target,
                                             const std::vector<finding::Finding>& findings, bool strict) {
  try {
    return replayer.replay(target, findings, strict);
  } catch (const UserError& problem) {
    const std::string what = problem.what();
    return std::vector<finding::ReplayResult>(findings.size(), {false, what.substr(0, what.find('\n'))});
  }
}

// Counts, and prints a line for each finding.
class Replay {
public:
  explicit Replay(const finding::Said& said)
      : only_(said.values("only")), strict_(said.is_on("strict")), quiet_(said.is_on("quiet")),
        permissions_(permissions_from(said)) {}

  void run(const Batch& batch) {
    campaign::Replayer replayer(saved_options(batch.report, batch.file, permissions_));
    for (const finding::TargetReport& target : batch.report.targets) {
      std::vector<finding::Finding> some;
      for (const finding::Finding& finding : target.findings) {
        if (is_chosen(finding))
          some.push_back(finding);
        if (some.size() == at_once)
          run(replayer, target, std::exchange(some, {}));
      }
      if (!some.empty())
        run(replayer, target, some);
    }
  }

  // One whose program is not to be had.
  void give_up(const Batch& batch, const std::string& why) {
    for (const finding::TargetReport& target : batch.report.targets)
      for (const finding::Finding& finding : target.findings)
        if (is_chosen(finding))
          tell(target, finding, {false, why.substr(0, why.find('\n'))});
  }

  int end() const {
    if (strict_)
      print(fmt::format("{} consistent, {} not: {} violation{}\n", reproduced_ - inconsistent_, inconsistent_,
                        violations_, violations_ == 1 ? "" : "s"));
    print(fmt::format("{} reproduced, {} not\n", reproduced_, lost_));
    return lost_ == 0 && violations_ == 0 ? frontend::status_nothing : frontend::status_found;
  }

private:
  // With one worker. A worker is started in some ten milliseconds, and has copies of its findings.
  static constexpr size_t at_once = 1000;

  void run(campaign::Replayer& replayer, const finding::TargetReport& target,
           const std::vector<finding::Finding>& findings) {
    const std::vector<finding::ReplayResult> results = run_again(replayer, target, findings, strict_);
    for (size_t i = 0; i < findings.size(); ++i)
      tell(target, findings[i], results[i]);
  }

  bool is_chosen(const finding::Finding& finding) const {
    return only_.empty() || std::ranges::find(only_, finding.id) != only_.end();
  }

  void tell(const finding::TargetReport& target, const finding::Finding& finding, const finding::ReplayResult& result) {
    ++(result.reproduced ? reproduced_ : lost_);
    if (!quiet_ || !result.reproduced)
      print(report::printable(fmt::format("{} {} {} in {}{}{}", result.reproduced ? "reproduced    " : "not reproduced",
                                          finding.id, finding::text(finding.kind), target.function,
                                          result.what.empty() ? "" : ": ", result.what)) +
            "\n");
    for (const finding::Violation& violation : result.violations)
      print(report::printable(fmt::format("violated       {} {}: expected {}, found {}", finding.id, violation.what,
                                          violation.expected, violation.found)) +
            "\n");
    inconsistent_ += !result.violations.empty();
    violations_ += result.violations.size();
  }

  const std::vector<std::string>& only_;
  bool strict_, quiet_;
  Permissions permissions_;
  size_t reproduced_ = 0, lost_ = 0;
  size_t inconsistent_ = 0, violations_ = 0; // of those that were reproduced
};

} // namespace

int replay(const CommandLine& line) {
  const finding::Said said =
      parse({.name = "faultline replay",
             .description = "Runs saved findings again.",
             .examples = examples,
             .operand = "FINDINGS.json|CORPUS",
             .operand_help = "what faultline hunt -o FINDINGS.json wrote, or the folder of hunt --corpus",
             .options = options_of(finding::command::replay)},
            line);
  refuse_flags(line);
  const std::string& file = said.value(operands);
  const std::vector<std::string>& only = said.values("only");

  std::error_code error;
  const bool corpus = std::filesystem::is_directory(file, error);
  std::vector<Batch> batches;
  if (corpus)
    batches = batches_of(file);
  else
    batches.push_back({file, load_findings(file)});
  check_ids(batches, only);
  Replay replay(said);
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
