#include "finding/baseline.h"

#include "frontend/error.h"

#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace faultline::finding {
namespace {

std::string name_of_file(const std::string& path) { return std::filesystem::path(path).filename().string(); }

} // namespace

Baseline baseline_from(const Report& report, const std::string& file) {
  Baseline baseline{file, {}};
  for (const TargetReport& target : report.targets)
    for (const Finding& finding : target.findings) {
      if (finding.fingerprint.empty())
        throw frontend::UserError(frontend::status_usage,
                                  fmt::format("{}: finding {} has no fingerprint", file, finding.id),
                                  fmt::format("make the file again: faultline hunt ... -o {}", file));
      baseline.findings.emplace(finding.fingerprint, Baseline::Entry{target.function, name_of_file(target.file)});
    }
  return baseline;
}

uint64_t gone(const Baseline& baseline, const Report& report) {
  std::set<std::string> found;
  std::set<std::pair<std::string, std::string>> hunted;
  for (const TargetReport& target : report.targets) {
    hunted.emplace(target.function, name_of_file(target.file));
    for (const Finding& finding : target.findings)
      found.insert(finding.fingerprint);
  }
  uint64_t count = 0;
  for (const auto& [fingerprint, entry] : baseline.findings)
    count += hunted.contains({entry.function, entry.source}) && !found.contains(fingerprint);
  return count;
}

} // namespace faultline::finding
