// Reports as a hunt makes them, with what scoring looks at.
#pragma once

#include "campaign/finding.h"

namespace faultline::suite {

inline campaign::TargetReport report(const std::string& function, double seconds = 0, uint64_t evaluations = 0) {
  campaign::TargetReport report;
  report.function = function;
  report.seconds = seconds;
  report.evaluations = evaluations;
  report.outcome = campaign::TargetOutcome::found;
  return report;
}

inline campaign::Finding finding(std::vector<campaign::NamedNumber> input, const std::string& computed,
                                 campaign::Kind kind = campaign::Kind::inaccuracy) {
  campaign::Finding finding;
  finding.kind = kind;
  finding.input = std::move(input);
  finding.output = campaign::Output{"return", {computed, computed}, {}};
  return finding;
}

} // namespace faultline::suite
