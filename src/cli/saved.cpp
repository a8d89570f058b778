#include "cli/saved.h"

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/parser.h"
#include "cli/progress.h"
#include "cli/writer.h"
#include "hunt/replay.h"
#include "model/json/report_file.h"
#include "program/project_files.h"
#include "program/sources.h"
#include "report/run_ranks.h"
#include "report/screen.h"
#include "report/text.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <unistd.h>
#include <utility>

namespace faultline::cli {

using base::status_usage;
using base::UserError;

std::string text_of(const std::string& file) {
  constexpr uint64_t most_bytes = uint64_t(1) << 28; // a job with its retries has some kilobytes
  return base::bounded_content(file, most_bytes, "check the path");
}

model::Report load_findings(const std::string& file) {
  const char* hint = "name a file that faultline hunt -o FILE.json wrote";
  if (file.empty())
    throw UserError(status_usage, "no file of findings given", hint);
  if (std::error_code error; std::filesystem::is_directory(file, error))
    throw UserError(status_usage, fmt::format("{}: is a folder", file),
                    "name a file; faultline replay runs all that a corpus has");
  return model::load_report(file, hint);
}

model::Baseline load_baseline(const std::string& file) {
  if (std::error_code error; !std::filesystem::exists(file, error))
    throw UserError(status_usage, fmt::format("--baseline {}: there is no such file", file),
                    fmt::format("faultline hunt ... -o {} makes it; leave out --baseline that time", file));
  return model::baseline_from(load_findings(file), file);
}

std::vector<SavedFile> load_folder(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().extension() == ".json" && base::open_regular(entry->path().string()))
      names.push_back(entry->path().filename().string());
  if (error)
    throw UserError(status_usage, fmt::format("{}: {}", folder, error.message()), "name a folder that can be read");
  std::ranges::sort(names);
  std::vector<SavedFile> files;
  for (const std::string& name : names)
    files.push_back({name, load_findings((std::filesystem::path(folder) / name).string())});
  return files;
}

model::Corpus load_corpus(const std::string& folder) {
  const char* hint = "name a folder that can be written; it is made if need be";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && !std::filesystem::is_directory(folder, error))
    error = std::make_error_code(std::errc::not_a_directory);
  if (!error && access(folder.c_str(), W_OK | X_OK) != 0)
    error = std::error_code(errno, std::generic_category());
  if (error)
    throw UserError(status_usage, fmt::format("--corpus {}: {}", folder, error.message()), hint);
  model::Corpus corpus{folder, {}};
  for (SavedFile& file : load_folder(folder))
    corpus.kept.push_back(model::kept_in(std::move(file.report), folder, file.name));
  return corpus;
}

model::SeenRuns load_seen(const std::string& file) {
  return model::parse_seen(
      base::bounded_content(file, model::most_seen_bytes, "faultline record -o FILE -- ./app makes it"), file);
}

hunt::Options saved_options(const model::Report& report, const std::string& file, const Permissions& permissions) {
  if (report.command.empty() || report.command.front() != "hunt")
    throw UserError(status_usage, fmt::format("{}: \"command\" is not a hunt", file),
                    "use a file that faultline hunt -o FILE.json wrote");
  try {
    const Saved saved{report, file, permissions.trust};
    hunt::Options options = parse_hunt(line_of(report.command), &saved).options;
    options.worker.confinement = permissions.confinement;
    options.sources.readable = permissions.confinement.readable;
    options.sources.of_saved_command = true;
    return options;
  } catch (const Help&) {
    throw UserError(status_usage, fmt::format("{}: \"command\" asks for help", file),
                    "use a file that faultline hunt -o FILE.json wrote");
  } catch (const UserError& problem) {
    if (std::string_view(problem.what()).starts_with(file + ":"))
      throw; // the message names the file already
    throw UserError(problem.status, fmt::format("{}: the saved command: {}", file, problem.what()),
                    "use it in the folder where the hunt was\n" + problem.hint);
  }
}

namespace {

constexpr const char* replay_examples = R"(Examples:
  faultline replay findings.json
  faultline replay findings.json --only 3f6a90c1
  faultline replay findings.json --strict         and check every claim of the findings
  faultline replay corpus/                        all that faultline hunt --corpus corpus kept

It is run in the folder where the hunt was: the file holds the hunt's command. The exit status is 0 if everything was
reproduced and 1 if not; with --strict, 1 also if a claim of a finding is false.)";

// The findings of one command.
struct Batch {
  std::string file; // the first one, if there are several
  model::Report report;
};

// Groups the files of a corpus by command, so that a program is loaded once and a target has one worker.
std::vector<Batch> batches_of(const std::string& folder) {
  std::vector<Batch> batches;
  for (SavedFile& file : load_folder(folder)) {
    const auto same =
        std::ranges::find_if(batches, [&](const Batch& batch) { return batch.report.command == file.report.command; });
    if (same == batches.end()) {
      batches.push_back({folder + "/" + file.name, std::move(file.report)});
      continue;
    }
    std::vector<model::TargetReport>& targets = same->report.targets;
    for (model::TargetReport& target : file.report.targets) {
      const auto known = std::ranges::find_if(targets, [&](const model::TargetReport& other) {
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
    for (const model::TargetReport& target : batch.report.targets)
      for (const model::Finding& finding : target.findings)
        ids.push_back(finding.id);
  for (const std::string& id : wanted)
    if (std::ranges::find(ids, id) == ids.end()) {
      const std::vector<std::string> close = base::nearest(id, ids);
      throw UserError(status_usage, fmt::format("--only {}: there is no such finding in the file", id),
                      close.empty() ? "leave out --only" : fmt::format("{}", fmt::join(close, ", ")));
    }
}

// Replays findings. If the function is gone or no longer compiles, they are not reproduced, and the others still run.
std::vector<model::ReplayResult> run_again(hunt::Replayer& replayer, const model::TargetReport& target,
                                           const std::vector<model::Finding>& findings, bool strict) {
  try {
    return replayer.replay(target, findings, strict);
  } catch (const UserError& problem) {
    return std::vector<model::ReplayResult>(findings.size(), {false, base::first_line(problem.what())});
  }
}

// Counts the results and prints a line for each finding.
class Replay {
public:
  explicit Replay(const model::RawSettings& raw)
      : only_(raw.values("only")), strict_(raw.is_on("strict")), quiet_(raw.is_on("quiet")),
        permissions_(permissions_from(raw)) {}

  void run(const Batch& batch) {
    hunt::Replayer replayer(saved_options(batch.report, batch.file, permissions_));
    for (const model::TargetReport& target : batch.report.targets) {
      std::vector<model::Finding> some;
      for (const model::Finding& finding : target.findings) {
        if (is_chosen(finding))
          some.push_back(finding);
        if (some.size() == at_once)
          run(replayer, target, std::exchange(some, {}));
      }
      if (!some.empty())
        run(replayer, target, some);
    }
  }

  // Reports all findings of a batch whose program cannot be loaded as not reproduced.
  void give_up(const Batch& batch, const std::string& why) {
    for (const model::TargetReport& target : batch.report.targets)
      for (const model::Finding& finding : target.findings)
        if (is_chosen(finding))
          tell(target, finding, {false, base::first_line(why)});
  }

  int end() const {
    if (strict_)
      print(fmt::format("{} consistent, {} not: {}\n", reproduced_ - inconsistent_, inconsistent_,
                        report::counted(violations_, "violation")));
    print(fmt::format("{} reproduced, {} not\n", reproduced_, lost_));
    return lost_ == 0 && violations_ == 0 ? base::status_nothing : base::status_found;
  }

private:
  // The number of findings per worker. A worker starts in some ten milliseconds, and has copies of its findings.
  static constexpr size_t at_once = 1000;

  void run(hunt::Replayer& replayer, const model::TargetReport& target, const std::vector<model::Finding>& findings) {
    const std::vector<model::ReplayResult> results = run_again(replayer, target, findings, strict_);
    for (size_t i = 0; i < findings.size(); ++i)
      tell(target, findings[i], results[i]);
  }

  bool is_chosen(const model::Finding& finding) const {
    return only_.empty() || std::ranges::find(only_, finding.id) != only_.end();
  }

  void tell(const model::TargetReport& target, const model::Finding& finding, const model::ReplayResult& result) {
    ++(result.reproduced ? reproduced_ : lost_);
    if (!quiet_ || !result.reproduced)
      print(report::printable(fmt::format("{} {} {} in {}{}{}", result.reproduced ? "reproduced    " : "not reproduced",
                                          finding.id, model::text(finding.kind), target.function,
                                          result.what.empty() ? "" : ": ", result.what)) +
            "\n");
    for (const model::Violation& violation : result.violations)
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
  size_t inconsistent_ = 0, violations_ = 0; // among the reproduced ones
};

} // namespace

int replay(const CommandLine& line) {
  const model::RawSettings raw =
      parse({.name = "replay",
             .description = "Runs saved findings again.",
             .examples = replay_examples,
             .operand = "FINDINGS.json|CORPUS",
             .operand_help = "what faultline hunt -o FINDINGS.json wrote, or the folder of hunt --corpus"},
            line);
  refuse_flags(line);
  const std::string& file = raw.value(operands);
  const std::vector<std::string>& only = raw.values("only");

  std::error_code error;
  const bool corpus = std::filesystem::is_directory(file, error);
  std::vector<Batch> batches;
  if (corpus)
    batches = batches_of(file);
  else
    batches.push_back({file, load_findings(file)});
  check_ids(batches, only);
  Replay replay(raw);
  for (const Batch& batch : batches) {
    try {
      replay.run(batch);
    } catch (const UserError& problem) {
      if (!corpus)
        throw;
      replay.give_up(batch, problem.what()); // the others still run
    }
  }
  return replay.end();
}

namespace {

constexpr const char* report_examples = R"(Examples:
  faultline report findings.json                   as text, on standard output
  faultline report findings.json -o findings.txt
  faultline report findings.json -o findings.html  a page for a browser; in the folder where the hunt was, with plots
  faultline report findings.json -o bugs_test.cpp  regression tests; in the folder where the hunt was
  faultline report run.*.json -o run.json          the ranks of mpirun faultline run -o run.json as one report)";

std::string beginning_of(const std::string& file) {
  std::string bytes(256, ' '); // the version of Faultline comes before
  std::error_code error;
  std::ifstream stream;
  if (std::filesystem::is_regular_file(file, error))
    stream.open(file, std::ios::binary);
  stream.read(bytes.data(), std::streamsize(bytes.size()));
  bytes.resize(size_t(stream.gcount()));
  return bytes;
}

// The reports of `faultline run`: of one run as text, of several ranks as one.
int report_runs(const std::vector<report::RankFile>& runs, const std::vector<std::string>& outputs) {
  const std::string merged = runs.size() == 1 ? runs.front().second : report::merged_run_json(runs);
  if (outputs.empty())
    print(report::run_json_text(merged));
  for (const OutputFile& file : json_files(outputs))
    file.write(merged);
  return base::status_nothing;
}

} // namespace

int report(const CommandLine& line) {
  const model::RawSettings raw = parse({.name = "report",
                                        .description = "Renders saved findings.",
                                        .examples = report_examples,
                                        .operand = "FINDINGS.json",
                                        .operand_help = "what faultline hunt -o FINDINGS.json wrote, or faultline "
                                                        "run -o RUN.json in each rank of an MPI program",
                                        .many_operands = true},
                                       line);
  refuse_flags(line);
  const std::vector<std::string>& named = raw.values(operands);
  const std::string file = named.empty() ? "" : named.front();
  const std::vector<std::string>& files = raw.values("report");
  if (named.size() > 1 || report::is_run_json(beginning_of(file))) {
    std::vector<report::RankFile> runs;
    for (const std::string& name : named)
      runs.emplace_back(name, text_of(name));
    return report_runs(runs, files);
  }

  const Permissions permissions = permissions_from(raw);
  model::Report saved = load_findings(file);
  saved.folders = program::SavedProject(file).folders(saved.command);
  const model::RankedReport ranked(saved);
  if (files.empty()) {
    report::Screen screen = screen_from(raw);
    screen.has_page = writes_page(saved.command);
    print(report::screen_text(ranked, report::source_files(saved.folders), screen));
  }
  const std::vector<Writer> writers = cli::writers(files);
  const Interrupt interrupt;
  if (!raw.is_on("no-plots"))
    draw(
        saved, ranked.problems, writers, [&] { return saved_options(saved, file, permissions); }, interrupt.flag());
  const auto options = [&] {
    hunt::Options made_with = saved_options(saved, file, permissions);
    if (raw.has("include"))
      made_with.headers = raw.values("include");
    return made_with;
  };
  write_all(writers, ranked, {options, vectors_from(raw), interrupt.flag(), progress_mode(false, STDERR_FILENO)});
  return 0;
}

} // namespace faultline::cli
