#include "finding/corpus.h"

#include "frontend/error.h"

namespace faultline::finding {

Kept kept_in(Report report, const std::string& folder, const std::string& file) {
  if (report.targets.size() != 1 || report.targets.front().findings.size() != 1 ||
      report.targets.front().findings.front().fingerprint.empty())
    throw frontend::UserError(frontend::status_usage, fmt::format("{}/{}: is not a file of a corpus", folder, file),
                              "a corpus has one finding in each file, as faultline hunt --corpus DIR writes them");
  Kept kept{file, std::move(report.targets.front()), {}};
  kept.finding = std::move(kept.target.findings.front());
  kept.target.findings.clear();
  return kept;
}

} // namespace faultline::finding
