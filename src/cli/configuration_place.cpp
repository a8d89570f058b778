// The searching half of configuration_file.h.
#include "cli/configuration_file.h"

#include "frontend/error.h"
#include "frontend/path.h"

#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

namespace fs = std::filesystem;

void refuse_strangers(const fs::path& file, const fs::path& source) {
  struct stat of_file, of_source;
  if (stat(file.c_str(), &of_file) != 0 || stat(source.c_str(), &of_source) != 0)
    return; // reading it will tell
  if (of_file.st_uid != 0 && of_file.st_uid != geteuid() && of_file.st_uid != of_source.st_uid)
    throw UserError(status_usage,
                    fmt::format("{}: belongs to another user than you and {}", file.string(), source.string()),
                    fmt::format("--config {} if you trust it, --no-config if not", file.string()));
}

// Empty if there is none.
std::string nearest_to(const std::string& source) {
  std::error_code error;
  for (fs::path folder = fs::absolute(source, error).lexically_normal().parent_path();; folder = folder.parent_path()) {
    const fs::path file = folder / "faultline.toml";
    if (fs::is_regular_file(file, error)) {
      refuse_strangers(file, source);
      return frontend::shown_path("", file.string());
    }
    if (folder == folder.parent_path())
      return {};
  }
}

} // namespace

std::string configuration_for(const std::vector<std::string>& sources, const finding::Said& said) {
  const std::string& named = said.value("config");
  if (said.is_on("no-config") && !named.empty())
    throw UserError(status_usage, "--config does not go with --no-config", "leave out one of the two");
  if (said.is_on("no-config") || !named.empty() || sources.empty())
    return named;
  const std::string first = nearest_to(sources.front());
  for (const std::string& source : sources)
    if (const std::string other = nearest_to(source); other != first)
      throw UserError(status_usage,
                      fmt::format("{} and {} have different settings: {} and {}", sources.front(), source,
                                  first.empty() ? "none" : first, other.empty() ? "none" : other),
                      "--config FILE, --no-config, or a run for each");
  return first;
}

} // namespace faultline::cli
