#include "cli/saved.h"

#include "campaign/finding_json.h"
#include "cli/hunt.h"
#include "frontend/error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

campaign::Report load_findings(const std::string& file) {
  const char* hint = "name a file that faultline hunt -o FILE.json wrote";
  if (file.empty())
    throw UserError(status_usage, "no file of findings given", hint);
  if (std::error_code error; std::filesystem::is_directory(file, error))
    throw UserError(status_usage, fmt::format("{}: is a folder; a corpus cannot be read in this version", file), hint);
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (!stream)
    throw UserError(status_usage, fmt::format("{}: {}", file, std::strerror(errno)), hint);
  text << stream.rdbuf();
  return campaign::parse_report(text.str(), file);
}

campaign::Baseline load_baseline(const std::string& file) {
  if (std::error_code error; !std::filesystem::exists(file, error))
    throw UserError(status_usage, fmt::format("--baseline {}: there is no such file", file),
                    fmt::format("faultline hunt ... -o {} makes it; leave out --baseline that time", file));
  return campaign::baseline_from(load_findings(file), file);
}

campaign::Options saved_options(const campaign::Report& report, const std::string& file) {
  if (report.command.empty() || report.command.front() != "hunt")
    throw UserError(status_usage, fmt::format("{}: \"command\" is not a hunt", file),
                    "use a file that faultline hunt -o FILE.json wrote");
  try {
    return parse_hunt(line_of(report.command), &report).options;
  } catch (const Help&) {
    throw UserError(status_usage, fmt::format("{}: \"command\" asks for help", file),
                    "use a file that faultline hunt -o FILE.json wrote");
  } catch (const UserError& problem) {
    throw UserError(problem.status, fmt::format("{}: the saved command: {}", file, problem.what()),
                    "use it in the folder where the hunt was\n" + problem.hint);
  }
}

} // namespace faultline::cli
