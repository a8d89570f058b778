#include "campaign/noise.h"

#include "campaign/fingerprint.h"

#include <algorithm>

namespace faultline::campaign {

void Noise::apply(const TargetReport& target, Finding& finding) {
  finding.fingerprint = fingerprint(target, finding, source_);
  finding.suppressed = suppressions_.find(target, finding);
  if (options_.baseline)
    finding.novelty = options_.baseline->findings.contains(finding.fingerprint) ? Novelty::known : Novelty::fresh;
}

void Noise::conclude(Report& report, frontend::Program& program) {
  if (options_.baseline)
    report.baseline = {options_.baseline->file, gone(*options_.baseline, report)};
  if (suppressions_.has_comments(report.targets))
    report.remarks =
        suppressions_.remarks(report.targets, program.targets(options_.sizes, options_.aliases), options_.wanted);
}

bool shows_all(const std::vector<std::string>& command, const TargetReport& target) {
  const auto end = std::ranges::find(command, "--"); // the compiler's flags follow
  return std::find(command.begin(), end, "--all") != end ||
         std::ranges::find(target.settings, "--all") != target.settings.end();
}

Report shown(Report report) {
  for (TargetReport& target : report.targets)
    if (!shows_all(report.command, target))
      std::erase_if(target.findings, &Finding::set_aside);
  return report;
}

} // namespace faultline::campaign
