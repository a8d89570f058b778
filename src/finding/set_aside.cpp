#include "finding/set_aside.h"

#include "finding/expression.h"
#include "finding/fingerprint.h"

namespace faultline::finding {

void SetAside::apply(const TargetReport& target, Finding& finding) {
  read_expressions(finding, source_);
  finding.fingerprint = fingerprint(target, finding, source_);
  finding.suppressed = suppressions_.find(target, finding);
  if (baseline_)
    finding.novelty = baseline_->findings.contains(finding.fingerprint) ? Novelty::known : Novelty::fresh;
}

void SetAside::conclude(Report& report, const std::function<std::vector<frontend::Target>()>& functions,
                        const Wanted& wanted) {
  if (baseline_)
    report.baseline = {baseline_->file, gone(*baseline_, report)};
  if (suppressions_.has_comments(report.targets))
    report.remarks = suppressions_.remarks(report.targets, functions(), wanted);
}

} // namespace faultline::finding
