#include "cli/saved.h"

#include "cli/hunt.h"
#include "cli/parser.h"
#include "finding/json/report_file.h"
#include "finding/json/seen_json.h"
#include "frontend/error.h"
#include "frontend/reading/bounded_stream.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

std::string text_of(const std::string& file) {
  constexpr uint64_t most_bytes = uint64_t(1) << 28; // a job with its retries has some kilobytes
  return frontend::bounded_content(file, most_bytes, "check the path");
}

finding::Report load_findings(const std::string& file) {
  const char* hint = "name a file that faultline hunt -o FILE.json wrote";
  if (file.empty())
    throw UserError(status_usage, "no file of findings given", hint);
  if (std::error_code error; std::filesystem::is_directory(file, error))
    throw UserError(status_usage, fmt::format("{}: is a folder", file),
                    "name a file; faultline replay runs all that a corpus has");
  return finding::load_report(file, hint);
}

finding::Baseline load_baseline(const std::string& file) {
  if (std::error_code error; !std::filesystem::exists(file, error))
    throw UserError(status_usage, fmt::format("--baseline {}: there is no such file", file),
                    fmt::format("faultline hunt ... -o {} makes it; leave out --baseline that time", file));
  return finding::baseline_from(load_findings(file), file);
}

std::vector<SavedFile> load_folder(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().extension() == ".json")
      names.push_back(entry->path().filename().string());
  if (error)
    throw UserError(status_usage, fmt::format("{}: {}", folder, error.message()), "name a folder that can be read");
  std::ranges::sort(names);
  std::vector<SavedFile> files;
  for (const std::string& name : names)
    files.push_back({name, load_findings((std::filesystem::path(folder) / name).string())});
  return files;
}

finding::Corpus load_corpus(const std::string& folder) {
  const char* hint = "name a folder that can be written; it is made if need be";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && !std::filesystem::is_directory(folder, error))
    error = std::make_error_code(std::errc::not_a_directory);
  if (!error && access(folder.c_str(), W_OK | X_OK) != 0)
    error = std::error_code(errno, std::generic_category());
  if (error)
    throw UserError(status_usage, fmt::format("--corpus {}: {}", folder, error.message()), hint);
  finding::Corpus corpus{folder, {}};
  for (SavedFile& file : load_folder(folder))
    corpus.kept.push_back(finding::kept_in(std::move(file.report), folder, file.name));
  return corpus;
}

finding::SeenRuns load_seen(const std::string& file) {
  return finding::parse_seen(
      frontend::bounded_content(file, finding::most_seen_bytes, "faultline record -o FILE -- ./app makes it"), file);
}

campaign::Options saved_options(const finding::Report& report, const std::string& file,
                                const Permissions& permissions) {
  if (report.command.empty() || report.command.front() != "hunt")
    throw UserError(status_usage, fmt::format("{}: \"command\" is not a hunt", file),
                    "use a file that faultline hunt -o FILE.json wrote");
  try {
    const Saved saved{report, file, permissions.trust};
    campaign::Options options = parse_hunt(line_of(report.command), &saved).options;
    options.worker.confinement = permissions.confinement;
    return options;
  } catch (const Help&) {
    throw UserError(status_usage, fmt::format("{}: \"command\" asks for help", file),
                    "use a file that faultline hunt -o FILE.json wrote");
  } catch (const UserError& problem) {
    if (std::string_view(problem.what()).starts_with(file + ":"))
      throw; // it tells already that it is about this file
    throw UserError(problem.status, fmt::format("{}: the saved command: {}", file, problem.what()),
                    "use it in the folder where the hunt was\n" + problem.hint);
  }
}

} // namespace faultline::cli
